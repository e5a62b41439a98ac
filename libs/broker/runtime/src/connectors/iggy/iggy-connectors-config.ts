import type { NodeConnectors, NodeSpec } from '@libs/domain';
import { canonicalHash } from '../../canonical-hash.js';
import { environmentText } from '../../iggy/environment-text.js';
import { tomlText } from '../../iggy/toml-text.js';
import { CONNECTORS_FILES } from '../connectors-files.js';
import type { NodePlace } from '../../node-place.js';

/** What Apache Iggy's connectors runtime of a node starts from. */
export interface RenderedIggyConnectors {
  /** TOML with the key of the provider of configurations: for a 0600 file. */
  config: string;
  /** Lines of `NAME="value"` with all other secrets, for a 0600 file. */
  environment: string;
  /**
   * Changes exactly when the process must start anew: also when a connector comes or goes, since libraries are loaded at the
   * start only. Another version of a configuration is pulled without that.
   */
  hash: string;
}

export interface IggyConnectorsPlan {
  node: Pick<NodeSpec, 'credentials'>;
  connectors: NodeConnectors;
  /** `host:port` of the server's TCP listener. */
  brokerAddress: string;
  /** `host:port` of the runtime's own HTTP API, on the loopback. */
  apiAddress: string;
  /** Of its HTTP API, by which it is asked and told to restart a connector. */
  apiKey: string;
  /** Base URL of IggyConfigProvider. */
  providerUrl: string;
  providerKey: string;
}

const PROVIDER_TIMEOUT = '10s';

/**
 * Configuration of the connectors runtime: it pulls its connectors from the agent. Pure. The header for the provider stands in
 * the file, since there is no variable whose name becomes that of a header.
 */
export function renderIggyConnectors(place: NodePlace, plan: IggyConnectorsPlan): RenderedIggyConnectors {
  const { credentials } = plan.node;
  const config = tomlText({
    'http.enabled': true,
    'http.address': plan.apiAddress,
    'iggy.address': plan.brokerAddress,
    'iggy.username': credentials.username,
    'state.path': CONNECTORS_FILES.state(place),
    'connectors.config_type': 'http',
    'connectors.base_url': plan.providerUrl,
    'connectors.timeout': PROVIDER_TIMEOUT,
    'connectors.request_headers.api-key': plan.providerKey,
    'telemetry.enabled': false,
    'logging.format': 'json',
  });
  const secrets = { IGGY_CONNECTORS_IGGY_PASSWORD: credentials.password, IGGY_CONNECTORS_HTTP_API_KEY: plan.apiKey };
  const loaded = plan.connectors.instances.map(({ key, type, plugin }) => [key, type, plugin]);
  return {
    config,
    environment: environmentText(secrets),
    hash: canonicalHash({ config, secrets, loaded, restart: plan.connectors.restart }),
  };
}
