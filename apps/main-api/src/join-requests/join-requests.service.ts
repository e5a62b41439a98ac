import { Injectable } from '@nestjs/common';
import { DomainError, type JoinRequestId } from '@libs/domain';
import { Page, type ActingCaller } from '@libs/http';
import { JoinRequestsRepository, type JoinRequest } from '@libs/persistence/organization';
import { Enrolment, RoleGrants } from '../members/index.js';
import { tenantWide } from '../platform/index.js';
import { TenantEntitlements } from '../tenants/index.js';
import type { ApproveJoinRequestDto } from './dto/approve-join-request.dto.js';
import type { JoinRequestView } from './dto/join-request.view.js';
import type { ListJoinRequestsQuery } from './dto/list-join-requests.query.js';
import { JoinAnswers } from './join-answers.js';

/**
 * Requests to join. Users of the tenant's e-mail domain create them under the policy `request_to_join`; members answer
 * them here.
 */
@Injectable()
export class JoinRequestsService {
  constructor(
    private readonly requests: JoinRequestsRepository,
    private readonly entitlements: TenantEntitlements,
    private readonly grants: RoleGrants,
    private readonly enrolment: Enrolment,
    private readonly answers: JoinAnswers,
  ) {}

  async list(actor: ActingCaller, query: ListJoinRequestsQuery): Promise<Page<JoinRequestView>> {
    return Page.of(await this.requests.list(actor.tenantId, query.status ?? null, query), toView, query);
  }

  /** @throws DomainError join_request_not_found */
  async get(actor: ActingCaller, id: JoinRequestId): Promise<JoinRequestView> {
    return toView(found(await this.requests.find(actor.tenantId, id)));
  }

  /** @throws DomainError join_request_not_found, state_conflict, role_not_found, insufficient_permissions, plan_limit_reached */
  async approve(actor: ActingCaller, id: JoinRequestId, dto: ApproveJoinRequestDto): Promise<void> {
    const request = await this.lock(actor, id);
    const roles = await this.grants.ofNewcomer(actor, dto.roles, null);
    requirePending(request);
    await this.requests.answer(actor.tenantId, id, 'approved');
    await this.enrolment.enrol(actor, {
      user: { id: request.user_id, name: request.name },
      email: request.email,
      context: tenantWide(actor),
      roleIds: roles.map((role) => role.id),
    });
    await this.answers.approved(
      actor,
      request,
      roles.map(({ name }) => name),
    );
  }

  /** @throws DomainError join_request_not_found, state_conflict */
  async reject(actor: ActingCaller, id: JoinRequestId): Promise<void> {
    const request = await this.lock(actor, id);
    requirePending(request);
    await this.requests.answer(actor.tenantId, id, 'rejected');
    await this.answers.rejected(actor, request);
  }

  private async lock(actor: ActingCaller, id: JoinRequestId): Promise<JoinRequest> {
    await this.entitlements.lock(actor.tenantId);
    return found(await this.requests.findForUpdate(actor.tenantId, id));
  }
}

function requirePending({ status }: JoinRequest): void {
  if (status === 'pending') return;
  throw new DomainError('state_conflict', `The request to join is already ${status}.`, { members: { state: status } });
}

function found(request: JoinRequest | null): JoinRequest {
  if (!request) throw new DomainError('join_request_not_found', 'No such request to join.');
  return request;
}

const toView = ({ id, user_id, name, email, status, created_at, answered_at }: JoinRequest): JoinRequestView => ({
  id,
  user_id,
  name,
  email,
  status,
  created_at: created_at.toISOString(),
  answered_at: answered_at?.toISOString() ?? null,
});
