import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NodeConnectors } from '@libs/domain';
import { canonicalHash } from '../../os/canonical-hash.js';
import { secretEqual } from '../../control/secret-equal.js';
import { listenOn } from '../../gate/listen-on.js';
import { iggyConnectorConfigs, type IggyConnectorConfig, type IggyConnectorConfigs } from './iggy-connector-config.js';

const NOTHING: NodeConnectors = { want: 'running', restart: 0, instances: [] };

type Answer = { status: number; body: unknown };
const found = (body: unknown): Answer => ({ status: 200, body });
const NOT_FOUND: Answer = { status: 404, body: { error: 'no such connector or configuration' } };

/**
 * The HTTP server from which Apache Iggy's connectors runtime pulls its configurations. It listens on the loopback and requires
 * a key, because configurations contain secrets. It is read-only, because only the document changes configurations. A node has
 * one version of each configuration, the active one.
 */
export class IggyConfigProvider {
  private readonly server: Server;
  private configs: IggyConnectorConfigs = iggyConnectorConfigs(NOTHING);
  /** ISO 8601. The document does not say when a configuration was created. */
  private setAt = new Date().toISOString();

  constructor(
    /** Value of the header `api-key`. */
    private readonly apiKey: string,
  ) {
    this.server = createServer({ requestTimeout: 10_000 }, (request, response) => {
      const { status, body } = this.answer(request);
      send(response, status, body);
    });
  }

  setConnectors(connectors: NodeConnectors): void {
    const configs = iggyConnectorConfigs(connectors);
    if (canonicalHash(configs) !== canonicalHash(this.configs)) this.setAt = new Date().toISOString();
    this.configs = configs;
  }

  /** Listens on a loopback port; 0 means any port. Returns the base URL. Rejects with BrokerError. */
  async listen(port = 0): Promise<string> {
    await listenOn(this.server, '127.0.0.1', port);
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private answer({ method, url = '', headers }: IncomingMessage): Answer {
    const apiKey = headers['api-key'];
    if (typeof apiKey !== 'string' || !secretEqual(apiKey, this.apiKey))
      return { status: 401, body: { error: 'unauthenticated' } };
    if (method !== 'GET')
      return { status: 405, body: { error: 'configurations are changed by the control plane only' } };
    const [kind, key, ...rest] = (url.split('?')[0] ?? '').split('/').slice(1).map(decoded);
    if (kind === 'configs') return this.all([key, ...rest].join('/'));
    if (kind !== 'sinks' && kind !== 'sources') return NOT_FOUND;
    const configs = this.configs[kind];
    if (key === undefined) return found(Object.values(configs));
    const config = Object.hasOwn(configs, key) ? configs[key] : undefined;
    return config ? one(config, rest.join('/')) : NOT_FOUND;
  }

  private all(what: string): Answer {
    if (what === 'active') return found(this.configs);
    if (what !== 'active/versions') return NOT_FOUND;
    const { sinks, sources } = this.configs;
    return found({ sinks: versionsOf(sinks, this.setAt), sources: versionsOf(sources, this.setAt) });
  }
}

function one(config: IggyConnectorConfig, what: string): Answer {
  if (what === '' || what === 'configs/active' || what === `configs/${config.version}`) return found(config);
  if (what === 'configs') return found([config]);
  if (what === 'configs/plugin') return found(config.plugin_config);
  return what === 'transforms' ? found(config.transforms) : NOT_FOUND;
}

function versionsOf(configs: Record<string, IggyConnectorConfig>, createdAt: string): Record<string, unknown> {
  const entries = Object.values(configs).map(({ key, version }) => [key, { version, created_at: createdAt }] as const);
  return Object.fromEntries(entries);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}
