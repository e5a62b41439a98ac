import { environmentText } from '../../brokers/iggy/config/environment-text.js';
import { tomlText } from '../../brokers/iggy/config/toml-text.js';
import type { NodeHome } from '../../control/node-home.js';
import { CONNECTORS_FILES } from '../connectors-files.js';

/** The configuration of a node's Apache Iggy connectors runtime. Both texts are for 0600 files. */
export interface RenderedIggyConnectors {
  /** TOML with the key of the configuration provider. */
  config: string;
  /** A line of `NAME="value"` with the key of the runtime's own API. */
  environment: string;
}

export interface IggyConnectorsPlan {
  /** `host:port` of a TCP port that reaches the server. */
  brokerAddress: string;
  /** Key of the HTTP API of the runtime, for status queries and restarts of connectors. */
  apiKey: string;
  /** Base URL of IggyConfigProvider. */
  providerUrl: string;
  providerKey: string;
}

const PROVIDER_TIMEOUT = '10s';
/** The system assigns the port of the API, and the runtime writes it to its log. */
const ANY_PORT = '127.0.0.1:0';

/**
 * Configuration of the connectors runtime, which pulls its connectors from IggyConfigProvider. Pure. It signs in with a token from a
 * file: a password would become a part of a URL, and its first characters a part of the log. The header for the provider is in the
 * file, because no environment variable can set a header.
 */
export function renderIggyConnectors(home: NodeHome, plan: IggyConnectorsPlan): RenderedIggyConnectors {
  const config = tomlText({
    'http.enabled': true,
    'http.address': ANY_PORT,
    'iggy.address': plan.brokerAddress,
    'iggy.token': `file:${CONNECTORS_FILES.token(home)}`,
    'state.path': CONNECTORS_FILES.pluginsState(home),
    'connectors.config_type': 'http',
    'connectors.base_url': plan.providerUrl,
    'connectors.timeout': PROVIDER_TIMEOUT,
    'connectors.request_headers.api-key': plan.providerKey,
    'telemetry.enabled': false,
  });
  return { config, environment: environmentText({ IGGY_CONNECTORS_HTTP_API_KEY: plan.apiKey }) };
}
