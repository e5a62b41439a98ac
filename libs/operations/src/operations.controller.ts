import { Get, Headers, Param, Query, Res, Sse, type MessageEvent } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import {
  Actor,
  anywhere,
  Lists,
  Reads,
  Recheck,
  Routes,
  Streams,
  type ActingCaller,
  type Page,
  type StillAllowed,
} from '@libs/http';
import type { Response } from 'express';
import type { Observable } from 'rxjs';
import { OperationEventView } from './operation-event.view.js';
import { OperationView } from './operation.view.js';
import { OperationsQuery, WaitQuery } from './operations.query.js';
import { OperationsService } from './operations.service.js';

/** Long work (C-14.1); the same in both APIs. */
@Routes('tenants/:tenant_id/operations', 'Operations', {
  operation_id: { description: 'The operation.', schema: { type: 'integer', format: 'int64' } },
})
export class OperationsController {
  constructor(private readonly operations: OperationsService) {}

  /** Lists operations, newest first, filtered to the deployments that the caller may read. */
  @Get()
  @Lists(anywhere('deployment:read'), OperationView)
  list(@Actor() actor: ActingCaller, @Query() query: OperationsQuery): Promise<Page<OperationView>> {
    return this.operations.list(actor, query);
  }

  /** Reads one operation. With `wait` the response comes when the operation has ended, or after that many seconds. */
  @Get(':operation_id')
  @Reads(anywhere('deployment:read'), OperationView)
  get(
    @Actor() actor: ActingCaller,
    @Param('operation_id') id: string,
    @Query() { wait }: WaitQuery,
  ): Promise<OperationView> {
    return this.operations.get(actor, id, wait);
  }

  /**
   * Streams the events of one operation as Server-Sent Events, numbered from 1, until the operation has ended. The
   * stream starts after `last-event-id`. The response is 204 when no event can follow, and an EventSource then does not
   * reconnect.
   */
  @Sse(':operation_id/events')
  @Streams(anywhere('deployment:read'), OperationEventView)
  @ApiHeader({ name: 'last-event-id', required: false, description: 'The number of the last event that was received.' })
  events(
    @Actor() actor: ActingCaller,
    @Param('operation_id') id: string,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Recheck() stillAllowed: StillAllowed,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Observable<MessageEvent>> {
    return this.operations.follow(actor, id, lastEventId, stillAllowed, () => response.status(204));
  }
}
