import { Injectable, Logger, type MessageEvent, type OnApplicationBootstrap } from '@nestjs/common';
import { DomainError } from '@libs/domain';
import { Shutdown, type StillAllowed } from '@libs/http';
import { Database, Notifications } from '@libs/persistence';
import { OperationEventsRepository, type OperationEventRow, type StreamPosition } from '@libs/persistence/platform';
import { Observable, type Subscriber } from 'rxjs';

/** One statement looks for all streams of the process; without streams nobody looks. */
const LOOK_MS = 250;
const RECHECK_MS = 5_000;
/** A comment, so that proxies keep the connection and a lost client is noticed. */
const ALIVE_MS = 15_000;
const STREAMS_OF_A_CALLER = 20;

export interface StreamRequest extends StreamPosition {
  stillAllowed: StillAllowed;
  /** Name of the caller that opened it. */
  caller: string;
}

interface OpenStream extends StreamRequest {
  subscriber: Subscriber<MessageEvent>;
}

/**
 * The open streams of this process. Events are rows, whichever process wrote them, so a stream may be opened, lost and
 * taken up at any process of either app.
 */
@Injectable()
export class OperationFeed implements OnApplicationBootstrap {
  private readonly logger = new Logger('OperationFeed');
  private readonly events: OperationEventsRepository;
  private readonly streams = new Set<OpenStream>();
  private timer: NodeJS.Timeout | undefined;
  private isLooking = false;

  constructor(
    database: Database,
    private readonly notifications: Notifications,
    private readonly shutdown: Shutdown,
  ) {
    this.events = new OperationEventsRepository(database);
  }

  onApplicationBootstrap(): void {
    this.notifications.on('landlord_operations', () => void this.look());
    this.notifications.on('landlord_access', () => this.recheckAll());
    this.shutdown.signal.addEventListener('abort', () => this.endAll(), { once: true });
  }

  /** @throws DomainError rate_limited when the caller holds too many */
  open(request: StreamRequest): Observable<MessageEvent> {
    const held = [...this.streams].filter(({ caller }) => caller === request.caller).length;
    if (held >= STREAMS_OF_A_CALLER) {
      throw new DomainError('rate_limited', `A key may hold ${STREAMS_OF_A_CALLER} streams at once.`);
    }
    return new Observable((subscriber) => this.attend({ ...request, subscriber }));
  }

  async hasEventsAfter(operationId: number, seq: number): Promise<boolean> {
    return (await this.events.after([{ operationId, seq }])).length > 0;
  }

  private attend(stream: OpenStream): () => void {
    if (this.shutdown.signal.aborted) stream.subscriber.complete();
    this.streams.add(stream);
    this.timer ??= setInterval(() => void this.look(), LOOK_MS);
    const recheck = setInterval(() => void this.recheck(stream), RECHECK_MS);
    const alive = setInterval(() => stream.subscriber.next({ comment: 'alive' }), ALIVE_MS);
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

  private async look(): Promise<void> {
    if (this.isLooking || this.streams.size === 0) return;
    this.isLooking = true;
    try {
      const looked = [...this.streams];
      const events = await this.events.after(looked);
      for (const stream of looked) for (const event of events) this.tell(stream, event);
    } catch (error) {
      this.logger.warn({ err: error }, 'events could not be read, will be tried again');
    } finally {
      this.isLooking = false;
    }
  }

  /** An event may be found for another stream of the same operation that had read less: it is told only once. */
  private tell(stream: OpenStream, event: OperationEventRow): void {
    if (event.operation_id !== stream.operationId || event.seq <= stream.seq) return;
    stream.seq = event.seq;
    const { step, status, attempt, detail, at } = event;
    stream.subscriber.next({
      id: String(event.seq),
      type: event.event,
      data: { step, status, attempt, detail, at: at.toISOString() },
    });
    if (event.event === 'ended') stream.subscriber.complete();
  }

  private recheckAll(): void {
    for (const stream of this.streams) void this.recheck(stream);
  }

  private async recheck({ stillAllowed, subscriber }: OpenStream): Promise<void> {
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
