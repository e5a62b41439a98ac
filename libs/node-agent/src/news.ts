/** Tells when what it is shown is another than before. */
export class News {
  private told = '';

  constructor(private readonly onNews: () => void) {}

  show(...state: unknown[]): void {
    const now = JSON.stringify(state);
    if (now !== this.told) this.onNews();
    this.told = now;
  }
}
