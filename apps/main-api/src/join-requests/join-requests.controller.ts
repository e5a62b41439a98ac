import { Body, Get, Put, Query } from '@nestjs/common';
import type { JoinRequestId } from '@libs/domain';
import {
  Actor,
  FailsWith,
  Lists,
  PathId,
  Reads,
  Routes,
  WithinPlan,
  Writes,
  type ActingCaller,
  type Page,
} from '@libs/http';
import { ApproveJoinRequestDto } from './dto/approve-join-request.dto.js';
import { JoinRequestView } from './dto/join-request.view.js';
import { ListJoinRequestsQuery } from './dto/list-join-requests.query.js';
import { JoinRequestsService } from './join-requests.service.js';

@Routes('tenants/:tenant_id/join_requests', 'Members', { join_request_id: 'A request to join the tenant.' })
export class JoinRequestsController {
  constructor(private readonly requests: JoinRequestsService) {}

  /** Lists current and past requests to join the tenant. */
  @Get()
  @Lists('member:read', JoinRequestView)
  list(@Actor() actor: ActingCaller, @Query() query: ListJoinRequestsQuery): Promise<Page<JoinRequestView>> {
    return this.requests.list(actor, query);
  }

  /** Reads one request. */
  @Get(':join_request_id')
  @Reads('member:read', JoinRequestView)
  get(@Actor() actor: ActingCaller, @PathId() id: JoinRequestId): Promise<JoinRequestView> {
    return this.requests.get(actor, id);
  }

  /** Approves the request and notifies the user. A caller cannot grant permissions that the caller does not hold. */
  @Put(':join_request_id/approve')
  @Writes('member:manage', 'join_approved')
  @WithinPlan('members_limit')
  @FailsWith('role_not_found', 'owner_required', 'state_conflict')
  approve(
    @Actor() actor: ActingCaller,
    @PathId() id: JoinRequestId,
    @Body() dto: ApproveJoinRequestDto,
  ): Promise<void> {
    return this.requests.approve(actor, id, dto);
  }

  /** Declines the request and notifies the user. */
  @Put(':join_request_id/reject')
  @Writes('member:manage', 'join_rejected')
  @FailsWith('state_conflict')
  reject(@Actor() actor: ActingCaller, @PathId() id: JoinRequestId): Promise<void> {
    return this.requests.reject(actor, id);
  }
}
