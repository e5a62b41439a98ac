import { Injectable } from '@nestjs/common';
import type { JoinRequestId, TenantId } from '@libs/domain';
import { statement, Database } from '../../database.js';
import { byTime, paged, readPage, type PageOf, type PageRequest } from '../../page-of.js';
import { JoinRequest as JoinRequestEntity } from '../entities/join-request.entity.js';
import type { User } from '../entities/user.entity.js';
import type { Tenant } from '../entities/tenant.entity.js';

export const JOIN_REQUEST_STATUSES = ['pending', 'approved', 'rejected'] as const;
export type JoinRequestStatus = (typeof JOIN_REQUEST_STATUSES)[number];

/** A user's request to become a member. */
export interface JoinRequest
  extends
    Pick<JoinRequestEntity, 'id' | 'tenant_id' | 'user_id' | 'status' | 'created_at' | 'answered_at'>,
    Pick<User, 'name' | 'email'> {
  tenant_name: Tenant['name'];
}

const COLUMNS = `q.id, q.tenant_id, t.name as tenant_name, q.user_id, u.name, u.email, q.status, q.created_at, q.answered_at`;
const REQUESTS = `from join_requests q join tenants t on t.id = q.tenant_id join users u on u.id = q.user_id
   where q.tenant_id = $1`;
const OF_STATUS = `${REQUESTS} and ($2::text is null or q.status = $2)`;

const LIST = paged('join_request.list', {
  columns: COLUMNS,
  rows: OF_STATUS,
  id: 'q.id',
  keys: { created_at: byTime('q.created_at') },
});
const FIND = statement('join_request.find', `select ${COLUMNS} ${REQUESTS} and q.id = $2`);
const LOCK = statement('join_request.lock', `select ${COLUMNS} ${REQUESTS} and q.id = $2 for update of q`);

/** Requests of users to join a tenant. */
@Injectable()
export class JoinRequestsRepository {
  constructor(private readonly database: Database) {}

  async list(tenantId: TenantId, status: JoinRequestStatus | null, request: PageRequest): Promise<PageOf<JoinRequest>> {
    return readPage<JoinRequest>(this.database, LIST, [tenantId, status], request);
  }

  async find(tenantId: TenantId, id: JoinRequestId): Promise<JoinRequest | null> {
    return this.database.first<JoinRequest>(FIND, [tenantId, id]);
  }

  /** Reads the request and locks it until the transaction ends. */
  async findForUpdate(tenantId: TenantId, id: JoinRequestId): Promise<JoinRequest | null> {
    return this.database.first<JoinRequest>(LOCK, [tenantId, id]);
  }

  async answer(tenantId: TenantId, id: JoinRequestId, status: 'approved' | 'rejected'): Promise<void> {
    const changes = { status, answered_at: () => 'now()' };
    await this.database.repository(JoinRequestEntity).update({ id, tenant_id: tenantId }, changes);
  }
}
