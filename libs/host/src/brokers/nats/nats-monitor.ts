import { createHmac } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { NodeSpec } from '@libs/domain';
import type { NatsConnection } from '@nats-io/transport-node';
import { BrokerError } from '../../control/broker-error.js';

const ASK_TIMEOUT_MS = 2_000;
export const MONITOR_USER = 'landlord-monitor';

/** The used members of VARZ. */
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

/** The used members of JSZ. `meta_cluster` is absent on a server without peers. */
export interface Jsz {
  streams: number;
  consumers: number;
  messages: number;
  bytes: number;
  meta_cluster?: { leader?: string; cluster_size?: number };
}

/**
 * Password of the monitoring account, which can only read statistics. It is derived from the node's secret, so it needs no
 * storage.
 */
export const monitorPassword = ({ cluster, node_id }: Pick<NodeSpec, 'cluster' | 'node_id'>): string =>
  createHmac('sha256', cluster.secret).update(`nats monitor ${node_id}`).digest('hex');

/**
 * Statistics of the node's nats-server. The queries use its system account, on the private port that the server stored in a
 * file at its start. The server has no monitoring port, because any process on the machine could read all of its data there.
 */
export class NatsMonitor {
  private connected: NatsConnection | null = null;

  constructor(
    private readonly portsDirectory: string,
    /** Detects a server of another node that has reused the port of this node's dead server. */
    private readonly serverName: string,
    private readonly password: string,
  ) {}

  /** Null when no server of this node runs. Throws BrokerError when it does not answer in time. */
  varz(): Promise<Varz | null> {
    return this.ask<Varz>('VARZ');
  }

  jsz(): Promise<Jsz | null> {
    return this.ask<Jsz>('JSZ');
  }

  /** Null when the server reports that it is healthy, otherwise its reason. */
  async sickness(): Promise<string | null> {
    const options = { 'js-server-only': true };
    const health = await this.ask<{ status?: string; error?: string }>('HEALTHZ', options);
    if (health?.status === 'ok') return null;
    return health?.error ?? health?.status ?? 'the broker does not respond';
  }

  async close(): Promise<void> {
    await this.connected?.close();
    this.connected = null;
  }

  private async ask<T>(what: string, options: object = {}): Promise<T | null> {
    const connection = await this.connection();
    if (connection === null) return null;
    try {
      const subject = `$SYS.REQ.SERVER.${connection.info?.server_id}.${what}`;
      const answer = await connection.request(subject, JSON.stringify(options), { timeout: ASK_TIMEOUT_MS });
      return answer.json<{ data?: T }>().data ?? null;
    } catch (error) {
      if (connection.isClosed()) return null;
      throw new BrokerError(`nats-server does not respond: ${(error as Error).message}`);
    }
  }

  /** Null when nothing listens, or when the listener is not the server of this node and refuses the account. */
  private async connection(): Promise<NatsConnection | null> {
    if (this.connected?.isClosed() === false) return this.connected;
    const servers = await this.address();
    if (servers === null) return null;
    // Loaded on first use. An agent with another broker does not load it.
    const { connect } = await import('@nats-io/transport-node');
    const account = { user: MONITOR_USER, pass: this.password, name: MONITOR_USER };
    const connection = await connect({ servers, ...account, reconnect: false, timeout: ASK_TIMEOUT_MS }).catch(
      () => null,
    );
    if (connection && connection.info?.server_name !== this.serverName) await connection.close();
    this.connected = connection?.isClosed() === false ? connection : null;
    return this.connected;
  }

  private async address(): Promise<string | null> {
    const [name] = (await readdir(this.portsDirectory).catch(() => [])).filter((file) => file.endsWith('.ports'));
    if (name === undefined) return null;
    return addressIn(await readFile(join(this.portsDirectory, name), 'utf8').catch(() => ''));
  }
}

/** Null also for a partially written file. The next read finds it complete. */
function addressIn(content: string): string | null {
  try {
    const { nats } = JSON.parse(content) as { nats?: string[] };
    const { hostname, port } = new URL(nats?.[0] ?? '');
    return `${hostname}:${port}`;
  } catch {
    return null;
  }
}
