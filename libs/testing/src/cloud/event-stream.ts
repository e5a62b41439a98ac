/** One Server-Sent Event. */
export interface StreamEvent {
  id: string;
  event: string;
  data: any;
}

/** A client of Server-Sent Events, like a browser's EventSource without reconnects. */
export class EventStream {
  readonly events: StreamEvent[] = [];
  /** The HTTP status of the stream. */
  status = 0;
  /** Resolves when either side has ended the stream. */
  readonly ended: Promise<void>;
  hasEnded = false;
  private readonly closing = new AbortController();
  private text = '';

  constructor(url: string, key: string, lastEventId?: string) {
    const headers = { 'ld-api-key': key, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) };
    this.ended = this.read(url, headers)
      .catch(() => undefined)
      .finally(() => (this.hasEnded = true));
  }

  get lastId(): string {
    return this.events.at(-1)?.id ?? '0';
  }

  close(): void {
    this.closing.abort();
  }

  private async read(url: string, headers: Record<string, string>): Promise<void> {
    const response = await fetch(url, { headers, signal: this.closing.signal });
    this.status = response.status;
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) this.take(decoder.decode(chunk as Uint8Array, { stream: true }));
  }

  private take(chunk: string): void {
    this.text += chunk;
    const blocks = this.text.split('\n\n');
    this.text = blocks.pop() ?? '';
    for (const block of blocks) {
      const field = (name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? '';
      if (field('data') !== '') {
        this.events.push({ id: field('id'), event: field('event'), data: JSON.parse(field('data')) });
      }
    }
  }
}
