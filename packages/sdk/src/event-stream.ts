import type { EventOptions, StreamEvent } from './call-options.js';
import { ConnectionError, LandlordError, ProblemError, UnexpectedAnswerError } from './errors.js';
import { isTransient } from './repetitions.js';
import { pause, type Addressed, type Transport } from './transport.js';

/** How long a client waits before it opens a stream again, as browsers do. A stream can name another time. */
const REOPEN_MS = 1_000;
const LONGEST_BACK_OFF_MS = 10_000;

/** One Server-Sent Event as it was sent. */
interface RawEvent {
  id: string | null;
  data: string;
  retryMs: number | null;
}

/** Follows one stream over all its connections. */
class FollowedStream<T> {
  private lastId: string | null;
  private failures = 0;
  private waitMs = REOPEN_MS;

  constructor(
    private readonly transport: Transport,
    private readonly request: Addressed,
    private readonly options: EventOptions,
    private readonly retries: number,
  ) {
    this.lastId = options.lastEventId ?? null;
  }

  async *events(): AsyncGenerator<StreamEvent<T>> {
    const { signal } = this.options;
    for (;;) {
      try {
        const body = await this.open();
        if (body === null) return;
        for await (const event of rawEvents(body, this.options)) yield* this.received(event);
      } catch (error) {
        signal?.throwIfAborted();
        this.failures += 1;
        if (!canReopen(error) || this.failures > this.retries) throw error;
        await pause(Math.max(retryAfterOf(error), this.backOffMs()), signal);
      }
      await pause(this.waitMs, signal);
    }
  }

  /** In addition to the usual time, so that a server that starts again is not asked too often. */
  private backOffMs(): number {
    return Math.min(this.waitMs * (2 ** (this.failures - 1) - 1), LONGEST_BACK_OFF_MS);
  }

  /** Null: no event can follow. */
  private async open(): Promise<ReadableStream<Uint8Array> | null> {
    const { options, lastId } = this;
    const headers = { ...options.headers, ...(lastId !== null && { 'last-event-id': lastId }) };
    const response = await this.transport.open(this.request, { ...options, headers, retries: 0 });
    if (response.status === 204) return null;
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) return response.body;
    throw new UnexpectedAnswerError(response, 'the answer is not a stream of events');
  }

  private read(data: string): T {
    try {
      return JSON.parse(data) as T;
    } catch {
      throw new UnexpectedAnswerError({ url: this.request.url, status: 200 }, 'an event is not JSON');
    }
  }

  private *received({ id, data, retryMs }: RawEvent): Generator<StreamEvent<T>> {
    this.waitMs = retryMs ?? this.waitMs;
    if (data === '') return;
    [this.lastId, this.failures] = [id ?? this.lastId, 0];
    yield { id: this.lastId ?? '', data: this.read(data) };
  }
}

/**
 * The events of a stream. The stream is opened again after the last event when the connection breaks, and ends when the server says
 * with 204 that no event can follow. @throws LandlordError when several attempts in a row have brought no event
 */
export const followEvents = <T>(
  ...given: ConstructorParameters<typeof FollowedStream<T>>
): AsyncGenerator<StreamEvent<T>> => new FollowedStream<T>(...given).events();

const canReopen = (error: unknown): boolean =>
  error instanceof ProblemError ? error.isRetryable : error instanceof LandlordError && isTransient(error);

const retryAfterOf = (error: unknown): number => (error instanceof ProblemError ? (error.retryAfterMs ?? 0) : 0);

async function* rawEvents(body: ReadableStream<Uint8Array>, options: EventOptions): AsyncGenerator<RawEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const chunk = await nextChunk(reader, options);
      if (chunk === null) return;
      text += decoder.decode(chunk, { stream: true });
      const blocks = text.split(/\r?\n\r?\n/);
      text = blocks.pop() ?? '';
      for (const block of blocks) yield eventOf(block);
    }
  } finally {
    // Also after the caller has left the loop.
    void reader.cancel().catch(() => undefined);
  }
}

/** The next bytes. Null: the stream has ended, or was idle for too long. */
async function nextChunk(reader: ReadableStreamDefaultReader<Uint8Array>, { idleMs, signal }: EventOptions) {
  const waiting = new AbortController();
  const end = (): void => waiting.abort();
  signal?.addEventListener('abort', end, { once: true });
  const idle = new Promise<null>((resolve, reject) => {
    const timer = idleMs === undefined ? undefined : setTimeout(() => resolve(null), idleMs);
    waiting.signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject((signal?.reason ?? new ConnectionError('The stream was closed.')) as Error);
    });
  });
  idle.catch(() => undefined);
  try {
    signal?.throwIfAborted();
    const read = reader.read().then(
      ({ value, done }) => (done ? null : value),
      (error: unknown) => {
        throw new ConnectionError(`The stream broke: ${(error as Error).message}`, { cause: error });
      },
    );
    return await Promise.race([read, idle]);
  } finally {
    signal?.removeEventListener('abort', end);
    waiting.abort();
  }
}

function eventOf(block: string): RawEvent {
  const event: RawEvent = { id: null, data: '', retryMs: null };
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    if (field === 'data') data.push(value);
    if (field === 'id') event.id = value;
    if (field === 'retry' && /^\d+$/.test(value)) event.retryMs = Number(value);
  }
  return { ...event, data: data.join('\n') };
}
