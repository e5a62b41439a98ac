import { Injectable, Logger, type MessageEvent, type OnApplicationBootstrap } from '@nestjs/common';
import { DomainError } from '@libs/domain';
import { Shutdown, type StillAllowed } from '@libs/http';
import { Database, Notifications } from '@libs/persistence';
import { NodeLogsRepository, type LogPosition, type LogRow } from '@libs/persistence/runtime';
import { Observable, type Subscriber } from 'rxjs';
import type { LogStreamQuery } from './dto/logs.query.js';
import { toLogLine } from './to-log-line.js';

/** One statement looks for all streams of the process; without streams nobody looks. */
const LOOK_MS = 500;
const RECHECK_MS = 5_000;
/** A comment, so that proxies keep the connection and a lost client is noticed. */
const ALIVE_MS = 15_000;
const STREAMS_OF_A_CALLER = 20;

export interface LogStreamRequest extends LogPosition {
  filter: LogStreamQuery;
  stillAllowed: StillAllowed;
  /** Name of the caller that opened it. */
  caller: string;
}

interface OpenStream extends LogStreamRequest {
  subscriber: Subscriber<MessageEvent>;
}

/**
 * The open log streams of this process. Lines are rows, whichever gateway took them, and their ids are seen in their order: so
 * a stream may be opened, lost and taken up at any process of the cell.
 */
@Injectable()
export class LogFeed implements OnApplicationBootstrap {
  private readonly logger = new Logger('LogFeed');
  private readonly logs: NodeLogsRepository;
  private readonly streams = new Set<OpenStream>();
  private timer: NodeJS.Timeout | undefined;
  private isLooking = false;

  constructor(
    database: Database,
    private readonly notifications: Notifications,
    private readonly shutdown: Shutdown,
  ) {
    this.logs = new NodeLogsRepository(database);
  }

  onApplicationBootstrap(): void {
    this.notifications.on('landlord_access', () => {
      for (const stream of this.streams) void this.recheck(stream);
    });
    this.shutdown.signal.addEventListener('abort', () => this.endAll(), { once: true });
  }

  /** @throws DomainError rate_limited when the caller holds too many */
  open(request: LogStreamRequest): Observable<MessageEvent> {
    const held = [...this.streams].filter(({ caller }) => caller === request.caller).length;
    if (held >= STREAMS_OF_A_CALLER) {
      throw new DomainError('rate_limited', `A key may hold ${STREAMS_OF_A_CALLER} streams at once.`);
    }
    return new Observable((subscriber) => this.attend({ ...request, subscriber }));
  }

  private attend(stream: OpenStream): () => void {
    if (this.shutdown.signal.aborted) stream.subscriber.complete();
    this.streams.add(stream);
    this.timer ??= setInterval(() => void this.look(), LOOK_MS);
    const recheck = setInterval(() => void this.recheck(stream), RECHECK_MS);
    const alive = setInterval(() => stream.subscriber.next({ comment: 'alive' }), ALIVE_MS);
    // At once, so that whoever waits for the first line knows that the stream is open.
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

  private async look(): Promise<void> {
    if (this.isLooking || this.streams.size === 0) return;
    this.isLooking = true;
    try {
      const looked = [...this.streams];
      for (const { stream, ...row } of await this.logs.after(looked)) tell(looked[stream], row);
    } catch (error) {
      this.logger.warn({ err: error }, 'lines could not be read, will be tried again');
    } finally {
      this.isLooking = false;
    }
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

function tell(stream: OpenStream | undefined, row: LogRow): void {
  if (!stream) return;
  stream.id = row.id;
  if (isAsked(stream.filter, row)) stream.subscriber.next({ id: String(row.id), type: 'line', data: toLogLine(row) });
}

function isAsked({ node, runtime, level, message }: LogStreamQuery, row: LogRow): boolean {
  const isSame = [
    [node, row.node_id],
    [runtime, row.runtime],
    [level, row.level],
  ].every(([asked, found]) => asked === undefined || asked === found);
  return isSame && row.message.toLowerCase().includes((message ?? '').toLowerCase());
}
