import type { Visit } from './visit.js';

/** Connections that wait to be served. Networks take turns, so a network with many connections does not delay the others. */
export class WaitingVisits {
  /** In the order of their turns. */
  private readonly byNetwork = new Map<string, Set<Visit>>();
  private count = 0;

  get size(): number {
    return this.count;
  }

  sizeOf(network: string): number {
    return this.byNetwork.get(network)?.size ?? 0;
  }

  membersOf(network: string): Iterable<Visit> {
    return this.byNetwork.get(network) ?? [];
  }

  all(): Visit[] {
    return [...this.byNetwork.values()].flatMap((visits) => [...visits]);
  }

  add(visit: Visit): void {
    const visits = this.byNetwork.get(visit.network) ?? new Set();
    this.byNetwork.set(visit.network, visits.add(visit));
    this.count += 1;
  }

  remove(visit: Visit): void {
    const visits = this.byNetwork.get(visit.network);
    if (!visits?.delete(visit)) return;
    this.count -= 1;
    if (visits.size === 0) this.byNetwork.delete(visit.network);
  }

  /** The network whose turn it is. */
  get next(): string | null {
    const [network = null] = this.byNetwork.keys();
    return network;
  }

  /** Removes the oldest connection of the network whose turn it is. */
  take(): Visit | null {
    const [turn] = this.byNetwork;
    if (turn === undefined) return null;
    const [network, visits] = turn;
    const [visit = null] = visits;
    if (visit) this.remove(visit);
    this.byNetwork.delete(network);
    if (visits.size > 0) this.byNetwork.set(network, visits);
    return visit;
  }
}
