/** Change detector: calls back when the shown state differs from the previous one. */
export class ChangeDetector {
  private reported = '';

  constructor(private readonly onChange: () => void) {}

  show(...state: unknown[]): void {
    const now = JSON.stringify(state);
    if (now !== this.reported) this.onChange();
    this.reported = now;
  }
}
