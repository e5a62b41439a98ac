import type { AedesPublishPacket, Client } from 'aedes';

/** Copies of one message reach a client within moments of each other; this many later messages are long after. */
const REMEMBERED = 4_096;

/**
 * Keeps a client with overlapping subscriptions from receiving a message twice.
 *
 * The broker's own guard remembers only the highest message number that it delivered to a client and drops every lower
 * one. Numbers are given before a message is stored, which takes longer for QoS 1 than for QoS 0, so a QoS 1 message
 * overtaken by a later one would be lost to all live subscribers. `replaceGuard` switches that guard off; `isFirst`
 * takes its place with the numbers themselves.
 */
export class LiveCopies {
  private readonly seen = new WeakMap<Client, Set<number>>();

  replaceGuard(client: Client): void {
    Object.assign(client, { duplicates: new Proxy({}, { get: () => 0, set: () => true }) });
  }

  /** False for a further copy of a message to this client. A message from a session's queue always counts as first. */
  isFirst(client: Client, packet: AedesPublishPacket): boolean {
    if (packet.messageId !== undefined) return true;
    const numbers = this.seen.get(client) ?? new Set<number>();
    this.seen.set(client, numbers);
    if (numbers.has(packet.brokerCounter)) return false;
    numbers.add(packet.brokerCounter);
    if (numbers.size > REMEMBERED) this.forgetOldest(numbers);
    return true;
  }

  private forgetOldest(numbers: Set<number>): void {
    for (const oldest of numbers) {
      numbers.delete(oldest);
      return;
    }
  }
}
