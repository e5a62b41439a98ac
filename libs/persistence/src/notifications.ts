import { databasePause } from '@libs/domain/processes';
import pg from 'pg';

/** Channels of NOTIFY. A notification is only a hint that data changed. Each listener also polls. */
export const CHANNELS = [
  'landlord_documents',
  'landlord_agents',
  'landlord_operations',
  'landlord_access',
  'landlord_outbox',
  'landlord_deliveries',
  'landlord_requests',
  'landlord_machines',
] as const;
export type Channel = (typeof CHANNELS)[number];

type Listener = (payload: string) => void;

/** A server that accepts and never answers counts as away. */
const PATIENCE = { connectionTimeoutMillis: 5_000, query_timeout: 15_000, keepAlive: true } as const;

/**
 * One connection that listens for the whole process and passes the payloads to the listeners. Notifications can be lost while
 * the connection is down. Therefore a reconnect calls every listener with an empty payload, and each listener reads its data
 * again.
 */
export class Notifications {
  private readonly listeners = new Map<Channel, Set<Listener>>(CHANNELS.map((channel) => [channel, new Set()]));
  private client: pg.Client | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;
  private readonly pause = databasePause();

  constructor(private readonly databaseUrl: string) {}

  async start(): Promise<void> {
    try {
      const names = { connectionString: this.databaseUrl, application_name: 'landlord-listen' };
      const client = new pg.Client({ ...names, ...PATIENCE });
      this.client = client;
      client.on('error', () => this.reconnect(client));
      client.on('end', () => this.reconnect(client));
      client.on('notification', ({ channel, payload }) => this.deliver(channel as Channel, payload ?? ''));
      await client.connect();
      for (const channel of CHANNELS) await client.query(`listen ${channel}`);
      this.pause.reset();
      for (const channel of CHANNELS) this.deliver(channel, '');
    } catch {
      this.reconnect(this.client);
    }
  }

  /** Calls `listener` with each payload until the returned function is called. */
  on(channel: Channel, listener: Listener): () => void {
    this.listeners.get(channel)?.add(listener);
    return () => this.listeners.get(channel)?.delete(listener);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    await this.client?.end().catch(() => undefined);
  }

  private deliver(channel: Channel, payload: string): void {
    for (const listener of this.listeners.get(channel) ?? []) listener(payload);
  }

  private reconnect(failed: pg.Client | undefined): void {
    if (this.isClosed || failed !== this.client || this.timer) return;
    this.client = undefined;
    void failed?.end().catch(() => undefined);
    this.timer = setTimeout(() => {
      this.timer = undefined;
      void this.start();
    }, this.pause.next());
  }
}
