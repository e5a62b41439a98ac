import type { AedesPublishPacket, Client } from 'aedes';

/**
 * Number of stored message numbers per client. Copies of one message arrive close together, so older numbers are not needed.
 */
const REMEMBERED = 4_096;

/**
 * Prevents that a client with overlapping subscriptions receives a message twice.
 *
 * The broker's own guard stores only the highest delivered message number per client and drops every lower one. Numbers are
 * assigned before a message is stored, which takes longer for QoS 1 than for QoS 0. So live subscribers would lose a QoS 1
 * message that a later one overtakes. `replaceGuard` disables that guard. `isFirst` replaces it and compares the exact numbers.
 */
export class LiveCopies {
  private readonly seen = new WeakMap<Client, Set<number>>();

  replaceGuard(client: Client): void {
    Object.assign(client, { duplicates: new Proxy({}, { get: () => 0, set: () => true }) });
  }

  /** False for a further copy of a message to this client. A message from a session's queue always counts
   * as first, and a live copy of it as further. */
  isFirst(client: Client, packet: AedesPublishPacket): boolean {
    const isQueued = packet.messageId !== undefined;
    // Counters restart with the broker.
    if (isQueued && packet.brokerId !== (client as Client & { broker: { id: string } }).broker.id) return true;
    const numbers = this.seen.get(client) ?? new Set<number>();
    this.seen.set(client, numbers);
    if (numbers.has(packet.brokerCounter)) return isQueued;
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
