import type { Readable } from 'node:stream';
import type { PublishPacket } from 'aedes';
// The main entry of the package is the callback form, which this broker release refuses.
// @ts-expect-error The async form has no types.
import AsyncPersistence from 'aedes-persistence-level/asyncPersistence.js';
import type { ClassicLevel } from 'classic-level';
import { SHARED } from '../../../gate/clients/refused-packets.js';
import { InOrder } from './in-order.js';
import { WritesTogether } from './writes-together.js';

/** A message with the id under which the queue of a session stores it. */
export type StampedPacket = PublishPacket & { brokerId: string; brokerCounter: number };

interface SessionOwner {
  id: string;
}

interface LevelPersistence {
  setup(broker: unknown): Promise<void>;
  storeRetained(packet: PublishPacket): Promise<void>;
  subscriptionsByTopic(topic: string): Promise<unknown[]>;
  createRetainedStream(pattern: string): Readable;
  outgoingEnqueueCombi(subscriptions: unknown[], packet: StampedPacket): Promise<void>;
  addSubscriptions(client: SessionOwner, subscriptions: readonly { topic: string }[]): Promise<void>;
  outgoingUpdate(client: SessionOwner, packet: unknown): Promise<void>;
  outgoingStream(client: SessionOwner): Readable;
  incomingGetPacket(client: SessionOwner, packet: unknown): Promise<unknown>;
  incomingStorePacket(client: SessionOwner, packet: StampedPacket): Promise<void>;
}

const LevelPersistence = AsyncPersistence as new (db: ClassicLevel) => LevelPersistence;

/** Where aedes-persistence-level keeps the numbers of sent messages: followed by the client, `:` and the number in decimal digits. */
const NUMBERS = 'outgoing-id:';
const AFTER_DIGITS = ';';
/** Limit of messages that were stored ahead and are skipped later. A forgotten one is only written again under the same key. */
const AHEAD_LIMIT = 10_000;

/**
 * Sessions, queues and retained messages in LevelDB, with guarantees that the broker alone does not give. The broker
 * acknowledges a QoS 1 message before it stores it. `storeAhead` stores it first, so that acknowledged messages survive a
 * crash. The broker stores the number of a QoS 2 message before the message: after a crash between the two it would take the repeat of
 * the publisher for known, and the message would reach nobody. Here both are one write. Parallel writes of the broker end in any order. Here they end in the order of their start, so that a subscriber gets
 * the messages of a topic in order, and the last retained message stays.
 */
export class DurablePersistence extends LevelPersistence {
  private readonly database: ClassicLevel;
  private readonly storing = new InOrder();
  private readonly updating = new InOrder();
  private readonly ahead = new Set<number>();
  private readonly together: WritesTogether;
  private retaining: Promise<void> = Promise.resolve();

  constructor(database: ClassicLevel) {
    super(database);
    this.database = database;
    this.together = new WritesTogether(database);
  }

  /** The numbers of the messages that the session was sent and has not acknowledged. `session`: the id of its client. */
  async usedNumbers(session: string): Promise<Set<number>> {
    const prefix = `${NUMBERS}${encodeURIComponent(session)}:`;
    const used = new Set<number>();
    for await (const key of this.database.keys({ gt: prefix, lt: `${prefix}${AFTER_DIGITS}` }))
      used.add(Number(key.slice(prefix.length)));
    return used;
  }

  /** Resolves, in the publisher's order, when the message is retained and in every offline queue that must have it. */
  storeAhead(publisher: string, packet: StampedPacket): Promise<void> {
    return this.storing.after(`ahead ${publisher}`, this.store(packet));
  }

  override async storeRetained(packet: PublishPacket & { brokerCounter?: number }): Promise<void> {
    if (this.ahead.has(packet.brokerCounter ?? 0)) return;
    return this.retainedInTurn(() => super.storeRetained(packet));
  }

  /** aedes passes the refused subscriptions of a packet as well. */
  override addSubscriptions(client: SessionOwner, subscriptions: readonly { topic: string }[]): Promise<void> {
    return super.addSubscriptions(
      client,
      subscriptions.filter(({ topic }) => !topic.startsWith(SHARED)),
    );
  }

  override async outgoingEnqueueCombi(subscriptions: unknown[], packet: StampedPacket): Promise<void> {
    if (this.ahead.delete(packet.brokerCounter)) return;
    await this.storing.after('queue', super.outgoingEnqueueCombi(subscriptions, packet));
  }

  override outgoingUpdate(client: SessionOwner, packet: unknown): Promise<void> {
    return this.updating.after(client.id, super.outgoingUpdate(client, packet));
  }

  override incomingGetPacket(client: SessionOwner, packet: unknown): Promise<unknown> {
    return this.storing.after(`get ${client.id}`, super.incomingGetPacket(client, packet));
  }

  override incomingStorePacket(client: SessionOwner, packet: StampedPacket): Promise<void> {
    const number = (): Promise<void> => super.incomingStorePacket(client, packet);
    return this.storing.after(`put ${client.id}`, this.store(packet, number));
  }

  /** `number`: stores the number of a QoS 2 message. */
  private async store(packet: StampedPacket, number?: () => Promise<void>): Promise<void> {
    const write = (): Promise<void> =>
      this.together.write(async () => {
        await number?.();
        if (packet.retain) await super.storeRetained(packet);
        await super.outgoingEnqueueCombi(await this.subscriptionsByTopic(packet.topic), packet);
      });
    await (packet.retain ? this.retainedInTurn(write) : write());
    if (this.ahead.size < AHEAD_LIMIT) this.ahead.add(packet.brokerCounter);
  }

  private retainedInTurn(write: () => Promise<void>): Promise<void> {
    const written = this.retaining.then(write);
    this.retaining = written.catch(() => undefined);
    return written;
  }
}
