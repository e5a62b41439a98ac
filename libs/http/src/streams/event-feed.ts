import { Logger, type MessageEvent } from '@nestjs/common';
import { DomainError } from '@libs/domain';
import { Observable, type Subscriber } from 'rxjs';
import type { StillAllowed } from '../access/still-allowed.decorator.js';
import type { Shutdown } from '../lifetime/shutdown.js';

const RECHECK_MS = 5_000;
/** A comment, so that proxies keep the connection and a lost client is noticed. */
const ALIVE_MS = 15_000;
const STREAMS_OF_A_CALLER = 20;

/** Who opened a stream. */
export interface FeedRequest {
  stillAllowed: StillAllowed;
  /** Name of the caller. */
  caller: string;
}

export type OpenStream<Request extends FeedRequest> = Request & { readonly subscriber: Subscriber<MessageEvent> };

/**
 * The open streams of Server-Sent Events of one kind in this process. What they tell are rows, whichever process wrote them,
 * so a stream may be opened, lost and taken up at any process. One look serves all streams; without streams nobody looks.
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

  /** Reads what is new for the streams, and tells each; remembers in the stream how far it has read. */
  protected abstract tell(streams: readonly OpenStream<Request>[]): Promise<void>;

  /** @throws DomainError rate_limited when the caller holds too many */
  open(request: Request): Observable<MessageEvent> {
    const held = [...this.streams].filter(({ caller }) => caller === request.caller).length;
    if (held >= STREAMS_OF_A_CALLER) {
      throw new DomainError('rate_limited', `A caller may have ${STREAMS_OF_A_CALLER} open streams.`);
    }
    return new Observable((subscriber) => this.attend({ ...request, subscriber }));
  }

  /** Looks now; does nothing while a look goes on. */
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

  /** Ends every stream whose caller may not see it any more. */
  protected recheckAll(): void {
    for (const stream of this.streams) void this.recheck(stream);
  }

  private attend(stream: OpenStream<Request>): () => void {
    if (this.shutdown.signal.aborted) stream.subscriber.complete();
    this.streams.add(stream);
    this.timer ??= setInterval(() => void this.look(), this.lookMs);
    const recheck = setInterval(() => void this.recheck(stream), RECHECK_MS);
    const alive = setInterval(() => stream.subscriber.next({ comment: 'alive' }), ALIVE_MS);
    // At once, so that whoever waits for the first event knows that the stream is open.
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
      // A database that is away for a moment is no reason to send anybody off.
      if (error instanceof DomainError) subscriber.complete();
    }
  }

  private endAll(): void {
    for (const { subscriber } of this.streams) subscriber.complete();
  }
}
