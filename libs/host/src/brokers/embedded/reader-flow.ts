import type { Readable } from 'node:stream';
import type { AedesPublishPacket, Client } from 'aedes';

/** Time that the messages of a topic wait for one reader that reads nothing, in milliseconds. */
const PATIENCE_MS = 500;
/** Bytes that may wait for a stalled reader whose session is not stored. */
const MOST_PENDING_BYTES = 4 * 1024 * 1024;
/** Sessions of the node's connectors. Their messages stay in the store while a destination is away. */
const CONNECTOR_ID = 'landlord-connector-';

type Done = (error?: Error | null) => void;
type Deliver = (packet: AedesPublishPacket, done: Done) => void;

/** The members of an aedes client that deliver to it. */
interface Delivering {
  deliver0: Deliver;
  deliverQoS: Deliver;
  waitForDrain: (done: (error: Error | null, client: Client) => void) => void;
}

/** What the flows of one broker share. */
export interface FlowSetup {
  /** Time that a client may read nothing before it is disconnected, in milliseconds. */
  drainTimeoutMs: number;
  /** The stored messages of a session that it has not acknowledged, oldest first. */
  stored: (client: Client) => Readable;
  /** A client begins to read nothing while messages wait for it. */
  onStall: (client: Client) => void;
  /** A QoS 0 message was dropped. */
  onDrop: () => void;
}

/**
 * The way of messages to one client, so that a client that does not read never holds the messages of a topic. aedes sends a message
 * to all its readers before it takes the next one, and waits for each of them.
 *
 * Here they wait only for a reader that reads. After `PATIENCE_MS` without any progress the reader is stalled: QoS 0 is dropped for
 * it, and QoS 1 and 2 stay in the store of its session, from where they are sent in order as soon as it reads again. Without a
 * stored session they wait in memory, up to a limit. A reader that is stalled for `drainTimeoutMs` is disconnected.
 *
 * A session that comes back also gets its stored messages first, and newer ones after them.
 */
export class ReaderFlow {
  private readonly send: Pick<Delivering, 'deliver0' | 'deliverQoS'>;
  private readonly waiting: Done[] = [];
  private readonly underWay = new Set<string>();
  private isStalled = false;
  /** Newer messages go to the store only, because older ones of the store are not sent yet. */
  private isBehind: boolean;
  private hasMissed = false;
  /** Sends from the store or of retained messages, which wait for the reader, because nobody waits for them. */
  private replays = 0;
  private timers: NodeJS.Timeout[] = [];

  private constructor(
    private readonly client: Client & Delivering,
    isStored: boolean,
    private readonly setup: FlowSetup,
  ) {
    this.send = { deliver0: client.deliver0, deliverQoS: client.deliverQoS };
    this.isBehind = isStored;
  }

  /** Call it before aedes restores the session. */
  static begin(client: Client, isStored: boolean, setup: FlowSetup): ReaderFlow {
    const flow = new ReaderFlow(client as Client & Delivering, isStored, setup);
    const members: Delivering = {
      deliver0: (packet, callback) => flow.deliver0(packet, callback),
      deliverQoS: (packet, callback) => flow.deliverQoS(packet, callback),
      waitForDrain: (callback) => flow.waitForDrain((error) => callback(error ?? null, client)),
    };
    Object.assign(client, members);
    return flow;
  }

  /** The session has got the messages that waited when it connected. */
  ready(): void {
    if (this.isBehind) void this.catchUp();
  }

  private deliver0(packet: AedesPublishPacket, callback: Done): void {
    if (packet.retain) return this.replay((next) => this.send.deliver0(packet, next), callback);
    if (!this.isStalled) return this.send.deliver0(packet, callback);
    this.setup.onDrop();
    setImmediate(callback);
  }

  private deliverQoS(packet: AedesPublishPacket, callback: Done): void {
    if (packet.qos === 0) return this.deliver0(packet, callback);
    if (packet.retain) return this.replay((next) => this.send.deliverQoS(packet, next), callback);
    if (this.isBehind) {
      this.hasMissed = true;
      return void setImmediate(callback);
    }
    if (this.isStalled && this.client.conn.writableLength > MOST_PENDING_BYTES) this.cut();
    this.sendOnce(packet, callback);
  }

  private sendOnce(packet: AedesPublishPacket, callback: Done): void {
    const key = keyOf(packet);
    this.underWay.add(key);
    this.send.deliverQoS(packet, (error) => {
      this.underWay.delete(key);
      callback(error);
    });
  }

  private replay(send: (done: Done) => void, callback: Done): void {
    this.replays += 1;
    send((error) => {
      this.replays -= 1;
      callback(error);
    });
  }

  /** The socket took a message and has no space for the next one. */
  private waitForDrain(callback: Done): void {
    if (this.isStalled && this.replays === 0 && this.client.connected) return void setImmediate(callback, null);
    this.waiting.push(callback);
    if (this.timers.length > 0) return;
    this.client.conn.once('drain', () => this.drained());
    const timers = [setTimeout(() => this.stall(), Math.min(PATIENCE_MS, this.setup.drainTimeoutMs))];
    if (!this.isConnector) timers.push(setTimeout(() => this.cut(), this.setup.drainTimeoutMs));
    this.timers = timers.map((timer) => timer.unref());
  }

  /** Also called at the end of the connection. */
  private drained(): void {
    for (const timer of this.timers.splice(0)) clearTimeout(timer);
    this.release();
    if (!this.isStalled) return;
    this.isStalled = false;
    if (this.isBehind && this.replays === 0) void this.catchUp();
  }

  private stall(): void {
    this.isStalled = true;
    this.setup.onStall(this.client);
    if (!this.client.connected) return;
    this.isBehind ||= !this.client.clean;
    // The replay of stored messages goes on only when the socket has space.
    if (this.replays === 0) this.release();
  }

  private release(): void {
    const error = this.client.closed ? new Error('connection closed') : null;
    for (const done of this.waiting.splice(0)) setImmediate(done, error);
  }

  private cut(): void {
    this.client.conn.destroy(new Error('drain timeout'));
  }

  private async sendStored(): Promise<void> {
    this.hasMissed = false;
    for await (const packet of this.setup.stored(this.client) as AsyncIterable<AedesPublishPacket>) {
      if (this.client.closed) return;
      if (!packet.messageId && !this.underWay.has(keyOf(packet))) await this.fromStore(packet);
    }
  }

  /** Sends what is in the store and was not sent on this or an earlier connection, until the store has no more. */
  private async catchUp(): Promise<void> {
    this.replays += 1;
    try {
      do await this.sendStored();
      while (this.hasMissed && !this.client.closed);
      // A closed client is still behind: the next connection of its session begins with the store.
      this.isBehind = this.client.closed;
    } catch (error) {
      this.client.conn.destroy(error as Error);
    } finally {
      this.replays -= 1;
    }
  }

  private fromStore(packet: AedesPublishPacket): Promise<void> {
    return new Promise((resolve) => this.sendOnce({ ...packet, retain: false }, () => resolve()));
  }

  private get isConnector(): boolean {
    return !this.client.clean && this.client.id.startsWith(CONNECTOR_ID);
  }
}

const keyOf = ({ brokerId, brokerCounter }: AedesPublishPacket): string => `${brokerId}:${brokerCounter}`;
