import { Get, Headers, Query, Sse, type MessageEvent } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { Actor, Lists, Recheck, Routes, Streams, type ActingCaller, type Page, type StillAllowed } from '@libs/http';
import type { Observable } from 'rxjs';
import { LogLineView } from './dto/log-line.view.js';
import { LogsQuery, LogStreamQuery } from './dto/logs.query.js';
import { LogsService } from './logs.service.js';

@Routes('deployments/:deployment_id/logs', 'Telemetry')
export class LogsController {
  constructor(private readonly logs: LogsService) {}

  /** Lists the log lines of the nodes' processes, newest first. */
  @Get()
  @Lists('deployment:read', LogLineView)
  list(@Actor() actor: ActingCaller, @Query() query: LogsQuery): Promise<Page<LogLineView>> {
    return this.logs.list(actor, query);
  }

  /**
   * Streams log lines as Server-Sent Events until the caller disconnects or loses the permission. The stream continues
   * after `last-event-id`, the id of a line of the last day. Without this header the stream starts now.
   */
  @Sse('stream')
  @Streams('deployment:read', LogLineView)
  @ApiHeader({ name: 'last-event-id', required: false, description: 'The id of the last line that was received.' })
  stream(
    @Actor() actor: ActingCaller,
    @Query() query: LogStreamQuery,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Recheck() stillAllowed: StillAllowed,
  ): Promise<Observable<MessageEvent>> {
    return this.logs.follow(actor, query, lastEventId, stillAllowed);
  }
}
