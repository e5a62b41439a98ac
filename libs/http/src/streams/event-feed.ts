import { Logger, type MessageEvent } from '@nestjs/common';
import { DomainError } from '@libs/domain';
import { Observable, type Subscriber } from 'rxjs';
import type { StillAllowed } from '../access/still-allowed.decorator.js';
import type { Shutdown } from '../lifetime/shutdown.js';

const RECHECK_MS = 5_000;
/** Interval of a comment line: proxies keep the connection, and the server notices a lost client. */
const ALIVE_MS = 15_000;
const STREAMS_OF_A_CALLER = 20;

/** The caller that opens a stream. */
export interface FeedRequest {
  stillAllowed: StillAllowed;
  /** Name of the caller. */
  caller: string;
}

export type OpenStream<Request extends FeedRequest> = Request & { readonly subscriber: Subscriber<MessageEvent> };

/**
 * The open Server-Sent Events streams of one kind in this process. The events come from rows that any process may have
 * written. So a client can open a stream at one process and resume it at another. One read serves all streams; without
 * streams no read happens.
 */
export abstract class EventFeed<Request extends FeedRequest> {
  protected readonly logger: Logger;
  private readonly streams = new Set<OpenStream<Request>>();
  private timer: NodeJS.Timeout | undefined;
  private isLooking = false;

  protected constructor(
    name: string,
    private readonly lookMs: number,
    private readonly shutdown: Shutdown,
  ) {
    this.logger = new Logger(name);
    shutdown.signal.addEventListener('abort', () => this.endAll(), { once: true });
  }

  /** Reads new rows for the streams and sends them. Stores in each stream the position that it has read. */
  protected abstract tell(streams: readonly OpenStream<Request>[]): Promise<void>;

  /** @throws DomainError rate_limited when the caller has too many open streams */
  open(request: Request): Observable<MessageEvent> {
    const streamCount = [...this.streams].filter(({ caller }) => caller === request.caller).length;
    if (streamCount >= STREAMS_OF_A_CALLER) {
      throw new DomainError('rate_limited', `A caller may have ${STREAMS_OF_A_CALLER} open streams.`);
    }
    return new Observable((subscriber) => this.attend({ ...request, subscriber }));
  }

  /** Reads now. Does nothing while another read runs. */
  protected async look(): Promise<void> {
    if (this.isLooking || this.streams.size === 0) return;
    this.isLooking = true;
    try {
      await this.tell([...this.streams]);
    } catch (error) {
      this.logger.warn({ err: error }, 'events could not be read, will be tried again');
    } finally {
      this.isLooking = false;
    }
  }

  /** Ends every stream whose caller may no longer see it. */
  protected recheckAll(): void {
    for (const stream of this.streams) void this.recheck(stream);
  }

  private attend(stream: OpenStream<Request>): () => void {
    if (this.shutdown.signal.aborted) stream.subscriber.complete();
    this.streams.add(stream);
    this.timer ??= setInterval(() => void this.look(), this.lookMs);
    const recheck = setInterval(() => void this.recheck(stream), RECHECK_MS);
    const alive = setInterval(() => stream.subscriber.next({ comment: 'alive' }), ALIVE_MS);
    // Sent immediately, so that a client that waits for the first event learns that the stream is open.
    stream.subscriber.next({ comment: 'open' });
    void this.look();
    return () => {
      clearInterval(recheck);
      clearInterval(alive);
      this.streams.delete(stream);
      if (this.streams.size > 0) return;
      clearInterval(this.timer);
      this.timer = undefined;
    };
  }

  private async recheck({ stillAllowed, subscriber }: OpenStream<Request>): Promise<void> {
    try {
      await stillAllowed();
    } catch (error) {
      // A database that is unavailable for a moment must not end the stream.
      if (error instanceof DomainError) subscriber.complete();
    }
  }

  private endAll(): void {
    for (const { subscriber } of this.streams) subscriber.complete();
  }
}
