/** Runs work of one key concurrently, but ends it in the order of its start. */
export class InOrder {
  private readonly tails = new Map<string, Promise<unknown>>();

  /** Settles like `work`, after all earlier work of the key has settled. */
  async after<T>(key: string, work: Promise<T>): Promise<T> {
    const earlier = this.tails.get(key);
    const settled = Promise.allSettled([earlier, work]);
    this.tails.set(key, settled);
    await settled;
    if (this.tails.get(key) === settled) this.tails.delete(key);
    return work;
  }
}
