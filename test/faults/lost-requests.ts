/** Enough to see the cause: thousands of failures would show no more. */
const KEPT = 50;

/** Requests without a successful answer, as text: time, request and result. */
export class LostRequests {
  private readonly begun = performance.now();
  private readonly lines: string[] = [];
  private lost = 0;
  /** The current part of the test. */
  private phase = 'before';

  during(phase: string): void {
    this.phase = phase;
  }

  /** Records an answer that is not 2xx. */
  answered(request: string, status: number, body: string): void {
    if (status < 200 || status > 299) this.note(`${request}: ${status} ${codeOf(body)}`);
  }

  /** Records a request without an answer. */
  failed(error: Error & { code?: string }): void {
    this.note(`no answer: ${error.code ?? error.name} ${error.message}`);
  }

  toString(): string {
    const rest = this.lost - this.lines.length;
    return [...this.lines, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n');
  }

  private note(what: string): void {
    this.lost += 1;
    const at = ((performance.now() - this.begun) / 1000).toFixed(3);
    if (this.lines.length < KEPT) this.lines.push(`${at} s, ${this.phase}: ${what}`);
  }
}

function codeOf(body: string): string {
  try {
    const { code, detail } = JSON.parse(body) as { code?: string; detail?: string };
    return [code, detail].filter(Boolean).join(': ');
  } catch {
    return body.slice(0, 200);
  }
}
