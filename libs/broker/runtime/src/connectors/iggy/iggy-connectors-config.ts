import type { NodeConnectors, NodeSpec } from '@libs/domain';
import { canonicalHash } from '../../canonical-hash.js';
import { environmentText } from '../../iggy/config/environment-text.js';
import { tomlText } from '../../iggy/config/toml-text.js';
import { CONNECTORS_FILES } from '../connectors-files.js';
import type { NodeHome } from '../../node-home.js';

/** The configuration of a node's Apache Iggy connectors runtime. */
export interface RenderedIggyConnectors {
  /** TOML with the key of the configuration provider, for a 0600 file. */
  config: string;
  /** Lines of `NAME="value"` with all other secrets, for a 0600 file. */
  environment: string;
  /**
   * Changes exactly when the process must restart. This includes added and removed connectors, because libraries are loaded
   * only at the start. The runtime pulls new versions of a configuration without a restart.
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
  /** Key of its HTTP API, for status queries and restarts of connectors. */
  apiKey: string;
  /** Base URL of IggyConfigProvider. */
  providerUrl: string;
  providerKey: string;
}

const PROVIDER_TIMEOUT = '10s';

/**
 * Configuration of the connectors runtime, which pulls its connectors from the agent. Pure. The header for the provider is in
 * the file, because no environment variable can set a header.
 */
export function renderIggyConnectors(home: NodeHome, plan: IggyConnectorsPlan): RenderedIggyConnectors {
  const { credentials } = plan.node;
  const config = tomlText({
    'http.enabled': true,
    'http.address': plan.apiAddress,
    'iggy.address': plan.brokerAddress,
    'iggy.username': credentials.username,
    'state.path': CONNECTORS_FILES.state(home),
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
