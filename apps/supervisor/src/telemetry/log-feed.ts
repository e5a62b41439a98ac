import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { EventFeed, Shutdown, type FeedRequest, type OpenStream } from '@libs/http';
import { Notifications } from '@libs/persistence';
import { NodeLogsRepository, type LogPosition, type LogRow } from '@libs/persistence/runtime';
import type { LogStreamQuery } from './dto/logs.query.js';
import { toLogLine } from './to-log-line.js';

const LOOK_MS = 500;

export interface LogStreamRequest extends LogPosition, FeedRequest {
  filter: LogStreamQuery;
}

/** The open log streams of this process. The ids of lines follow their order for all gateways. */
@Injectable()
export class LogFeed extends EventFeed<LogStreamRequest> implements OnApplicationBootstrap {
  constructor(
    private readonly logs: NodeLogsRepository,
    private readonly notifications: Notifications,
    shutdown: Shutdown,
  ) {
    super('LogFeed', LOOK_MS, shutdown);
  }

  onApplicationBootstrap(): void {
    this.notifications.on('landlord_access', () => this.recheckAll());
  }

  protected async tell(streams: readonly OpenStream<LogStreamRequest>[]): Promise<void> {
    for (const { stream, ...row } of await this.logs.after(streams)) tellOne(streams[stream], row);
  }
}

function tellOne(stream: OpenStream<LogStreamRequest> | undefined, row: LogRow): void {
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
