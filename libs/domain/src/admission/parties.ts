/** The connections of one network or of one caller, oldest first. */
export interface Party<M> {
  readonly name: string;
  readonly members: Set<M>;
}

/**
 * Connections by party, and the party with the most of them. Every call takes a constant time, because a flood calls them for each
 * connection.
 */
export class Parties<M extends object> {
  private readonly byName = new Map<string, Party<M>>();
  /** At index n: the parties with n members, in the order in which they got this number. */
  private readonly bySize: Set<Party<M>>[] = [];
  private largestSize = 0;
  private count = 0;

  get size(): number {
    return this.count;
  }

  sizeOf(name: string): number {
    return this.byName.get(name)?.members.size ?? 0;
  }

  membersOf(name: string): Iterable<M> {
    return this.byName.get(name)?.members ?? [];
  }

  add(name: string, member: M): void {
    const party = this.byName.get(name) ?? { name, members: new Set<M>() };
    this.byName.set(name, party);
    this.resize(party, () => party.members.add(member));
    this.count += 1;
  }

  remove(name: string, member: M): void {
    const party = this.byName.get(name);
    if (!party?.members.has(member)) return;
    this.resize(party, () => party.members.delete(member));
    if (party.members.size === 0) this.byName.delete(name);
    this.count -= 1;
  }

  /** All parties, the largest first. */
  *largestFirst(): Generator<Party<M>> {
    for (let size = this.largestSize; size > 0; size -= 1) yield* this.bySize[size] ?? [];
  }

  /** The members of all parties. */
  all(): M[] {
    return [...this.byName.values()].flatMap(({ members }) => [...members]);
  }

  private resize(party: Party<M>, change: () => void): void {
    this.bySize[party.members.size]?.delete(party);
    change();
    const { size } = party.members;
    if (size > 0) (this.bySize[size] ??= new Set()).add(party);
    this.largestSize = Math.max(this.largestSize, size);
    while (this.largestSize > 0 && (this.bySize[this.largestSize]?.size ?? 0) === 0) this.largestSize -= 1;
  }
}
