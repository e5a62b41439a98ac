/** Networks that are remembered, the newest ones. */
const MOST_NETWORKS = 20_000;

/** The networks from which a caller has signed in since the start of the process. */
export class KnownNetworks {
  private readonly names = new Set<string>();

  add(network: string): void {
    this.names.delete(network);
    this.names.add(network);
    const [oldest] = this.names;
    if (this.names.size > MOST_NETWORKS && oldest !== undefined) this.names.delete(oldest);
  }

  has(network: string): boolean {
    return this.names.has(network);
  }
}
