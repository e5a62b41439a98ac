/** Lets work of one key run at the same time, but end in the order in which it was begun. */
export class InOrder {
  private readonly tails = new Map<string, Promise<unknown>>();

  /** Settles as `work` does, once everything begun earlier under the key has settled. */
  async after<T>(key: string, work: Promise<T>): Promise<T> {
    const earlier = this.tails.get(key);
    const settled = Promise.allSettled([earlier, work]);
    this.tails.set(key, settled);
    await settled;
    if (this.tails.get(key) === settled) this.tails.delete(key);
    return work;
  }
}
