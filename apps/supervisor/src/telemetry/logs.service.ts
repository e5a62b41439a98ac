import { Injectable, type MessageEvent } from '@nestjs/common';
import { validationFailed, DomainError } from '@libs/domain';
import { callerName, Page, type ActingCaller, type StillAllowed } from '@libs/http';
import { NodeLogsRepository } from '@libs/persistence/runtime';
import type { Observable } from 'rxjs';
import type { LogLineView } from './dto/log-line.view.js';
import type { LogsQuery, LogStreamQuery } from './dto/logs.query.js';
import { LogFeed } from './log-feed.js';
import { toLogLine } from './to-log-line.js';

const DAY_MS = 86_400_000;
/** No index supports a text search within lines, so the time window limits the scanned rows. */
const LONGEST_SEARCH_DAYS = 2;

/** The log lines of the processes of a deployment's nodes. */
@Injectable()
export class LogsService {
  constructor(
    private readonly logs: NodeLogsRepository,
    private readonly feed: LogFeed,
  ) {}

  /** @throws DomainError validation_failed */
  async list({ deployment }: ActingCaller, query: LogsQuery): Promise<Page<LogLineView>> {
    const { runtime, node, level, message } = query;
    const window = windowOf(query);
    const filter = { deploymentId: deployment.id, ...window, runtime, node, level, message };
    return Page.of(await this.logs.page(filter, query), toLogLine, query);
  }

  /** @throws DomainError validation_failed, rate_limited */
  async follow(
    { deployment, caller }: ActingCaller,
    filter: LogStreamQuery,
    lastEventId: string | undefined,
    stillAllowed: StillAllowed,
  ): Promise<Observable<MessageEvent>> {
    const id = readEventId(lastEventId) ?? (await this.logs.last(deployment.id));
    return this.feed.open({ deploymentId: deployment.id, id, filter, stillAllowed, caller: callerName(caller) });
  }
}

function windowOf({ from, to, message }: LogsQuery): { from: Date; to: Date } {
  const until = to ?? new Date();
  const since = from ?? new Date(until.getTime() - DAY_MS);
  if (since >= until) throw validationFailed([{ path: '/from', code: 'is_before', reason: 'must be before `to`' }]);
  if (message !== undefined && until.getTime() - since.getTime() > LONGEST_SEARCH_DAYS * DAY_MS) {
    const reason = `is looked for within ${LONGEST_SEARCH_DAYS} days at most; move \`from\` and \`to\` together`;
    throw validationFailed([{ path: '/message', code: 'window_too_long', reason }]);
  }
  return { from: since, to: until };
}

/** @throws DomainError validation_failed */
function readEventId(text: string | undefined): number | null {
  if (text === undefined || text === '') return null;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new DomainError('validation_failed', 'last-event-id must be the id of a received line.');
}
