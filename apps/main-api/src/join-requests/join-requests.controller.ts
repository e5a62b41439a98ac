import { Body, Controller, Get, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { JoinRequestId } from '@libs/domain';
import {
  Actor,
  Audited,
  FailsWith,
  Idempotent,
  InTenant,
  NoContent,
  OfTenant,
  PathId,
  RequirePermission,
  Returns,
  ReturnsPageOf,
  WithinPlan,
  type ActingCaller,
  type Page,
} from '@libs/http';
import { ApproveJoinRequestDto } from './dto/approve-join-request.dto.js';
import { JoinRequestView } from './dto/join-request.view.js';
import { ListJoinRequestsQuery } from './dto/list-join-requests.query.js';
import { JoinRequestsService } from './join-requests.service.js';

const A_REQUEST = 'A request to join the tenant.';

@ApiTags('Members')
@Controller('tenants/:tenant_id/join_requests')
export class JoinRequestsController {
  constructor(private readonly requests: JoinRequestsService) {}

  /** Lists current and past requests to join the tenant. */
  @Get()
  @RequirePermission('member:read')
  @InTenant()
  @ReturnsPageOf(JoinRequestView)
  @FailsWith('validation_failed')
  list(@Actor() actor: ActingCaller, @Query() query: ListJoinRequestsQuery): Promise<Page<JoinRequestView>> {
    return this.requests.list(actor, query);
  }

  /** Reads one request. */
  @Get(':join_request_id')
  @RequirePermission('member:read')
  @OfTenant('join_request', A_REQUEST)
  @Returns(JoinRequestView)
  get(@Actor() actor: ActingCaller, @PathId('join_request_id') id: JoinRequestId): Promise<JoinRequestView> {
    return this.requests.get(actor, id);
  }

  /** Approves the request and notifies the user. A caller cannot grant permissions that the caller does not hold. */
  @Put(':join_request_id/approve')
  @RequirePermission('member:manage')
  @Idempotent()
  @Audited('join_approved')
  @OfTenant('join_request', A_REQUEST)
  @NoContent()
  @WithinPlan('members_limit')
  @FailsWith('role_not_found', 'owner_required', 'state_conflict')
  approve(
    @Actor() actor: ActingCaller,
    @PathId('join_request_id') id: JoinRequestId,
    @Body() dto: ApproveJoinRequestDto,
  ): Promise<void> {
    return this.requests.approve(actor, id, dto);
  }

  /** Declines the request and notifies the user. */
  @Put(':join_request_id/reject')
  @RequirePermission('member:manage')
  @Idempotent()
  @Audited('join_rejected')
  @OfTenant('join_request', A_REQUEST)
  @NoContent()
  @FailsWith('state_conflict')
  reject(@Actor() actor: ActingCaller, @PathId('join_request_id') id: JoinRequestId): Promise<void> {
    return this.requests.reject(actor, id);
  }
}
