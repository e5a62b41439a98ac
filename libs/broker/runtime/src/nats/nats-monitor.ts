import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BrokerError } from '../broker-error.js';
import { isNobody } from '../control/ask-instance.js';
import { requestJson } from '../socket-request.js';

const ASK_TIMEOUT_MS = 2_000;

/** What is read of `/varz`. */
export interface Varz {
  server_name: string;
  version: string;
  start: string;
  mqtt?: { host?: string; port?: number };
  tags?: string[];
  mem: number;
  connections: number;
  subscriptions: number;
  routes: number;
  slow_consumers: number;
}

/** What is read of `/jsz`. `meta_cluster` is absent on a server that has no peers. */
export interface Jsz {
  streams: number;
  consumers: number;
  messages: number;
  bytes: number;
  meta_cluster?: { leader?: string; cluster_size?: number };
}

/** The HTTP monitor of the node's nats-server, on the private port that it noted in a file at its start. */
export class NatsMonitor {
  constructor(
    private readonly portsDirectory: string,
    /** Another node's server may have the port that a dead one of ours had. */
    private readonly serverName: string,
  ) {}

  /** Null when no server of this node runs. Throws BrokerError when it does not answer in time. */
  async varz(): Promise<Varz | null> {
    const varz = await this.get<Varz>('/varz');
    return varz?.server_name === this.serverName ? varz : null;
  }

  jsz(): Promise<Jsz | null> {
    return this.get<Jsz>('/jsz');
  }

  /** Null when the server calls itself healthy, else its reason. */
  async sickness(): Promise<string | null> {
    const health = await this.get<{ status?: string; error?: string }>('/healthz?js-server-only=true');
    if (health?.status === 'ok') return null;
    return health?.error ?? health?.status ?? 'the broker does not answer';
  }

  private async get<T>(path: string): Promise<T | null> {
    const port = await this.port();
    if (port === null) return null;
    try {
      const contact = { host: '127.0.0.1', port };
      return (await requestJson(contact, { method: 'GET', path, timeoutMs: ASK_TIMEOUT_MS })).body as T;
    } catch (error) {
      if (isNobody(error)) return null;
      throw new BrokerError(`nats-server does not answer: ${(error as Error).message}`);
    }
  }

  private async port(): Promise<number | null> {
    const [name] = (await readdir(this.portsDirectory).catch(() => [])).filter((file) => file.endsWith('.ports'));
    if (name === undefined) return null;
    const content = await readFile(join(this.portsDirectory, name), 'utf8').catch(() => '');
    return portIn(content);
  }
}

/** Null also for a file that is only half written: the next look finds it whole. */
function portIn(content: string): number | null {
  try {
    const { monitoring } = JSON.parse(content) as { monitoring?: string[] };
    return Number(new URL(monitoring?.[0] ?? '').port) || null;
  } catch {
    return null;
  }
}
