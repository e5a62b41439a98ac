import { Injectable } from '@nestjs/common';
import type { OwnershipTransferId, TenantId, UserId } from '@libs/domain';
import { statement, Database } from '../database.js';
import { byTime, paged, readPage, type PageOf, type PageRequest } from '../page-of.js';
import { OwnershipTransfer as OwnershipTransferEntity } from './entities/ownership-transfer.entity.js';

export const TRANSFER_STATUSES = ['pending', 'accepted', 'rejected', 'replaced', 'expired'] as const;
export type TransferStatus = (typeof TRANSFER_STATUSES)[number];

/** An offer of a tenant's owner to one of its members, with its status at this instant. */
export interface OwnershipTransfer extends Pick<
  OwnershipTransferEntity,
  'id' | 'to_user_id' | 'expires_at' | 'created_at'
> {
  tenant: { id: TenantId; name: string };
  /** The owner that offers the tenant. */
  from: { id: UserId; name: string; email: string };
  status: TransferStatus;
}

const STATUS = `case when o.status = 'pending' and o.expires_at <= now() then 'expired' else o.status end`;
const COLUMNS = `o.id, jsonb_build_object('id', t.id, 'name', t.name) as tenant,
  jsonb_build_object('id', u.id, 'name', u.name, 'email', u.email) as "from", o.to_user_id, ${STATUS} as status, o.expires_at,
  o.created_at`;
const TO_USER = `from ownership_transfers o join tenants t on t.id = o.tenant_id and t.deleted_at is null
  join users u on u.id = o.from_user_id where o.to_user_id = $1`;

const INSERT = statement(
  'ownership_transfer.insert',
  `insert into ownership_transfers (tenant_id, from_user_id, to_user_id, expires_at)
   values ($1, $2, $3, now() + interval '7 days') returning id, expires_at`,
);
const LIST = paged('ownership_transfer.list', {
  columns: COLUMNS,
  rows: TO_USER,
  id: 'o.id',
  keys: { created_at: byTime('o.created_at') },
});
const FIND = statement('ownership_transfer.find', `select ${COLUMNS} ${TO_USER} and o.id = $2`);
const LOCK = statement('ownership_transfer.lock', `select ${COLUMNS} ${TO_USER} and o.id = $2 for update of o`);
// Changes nothing when another user owns the tenant by now. The new owner becomes a member of the whole tenant. The former
// owner becomes an admin and keeps all other roles. Open streams of both are authorized again.
const HAND_OVER = statement(
  'ownership_transfer.hand_over',
  `with handed as (
     update tenants set owner_id = $3, updated_at = now() where id = $1 and owner_id = $2 returning id
   ), widened as (
     update members m set division_id = null from handed where m.tenant_id = handed.id and m.user_id = $3
   ), taken as (
     delete from member_roles m using handed, roles r
      where m.tenant_id = handed.id and m.user_id = $2 and r.id = m.role_id and r.kind = 'system' and r.name = 'owner'
   ), given as (
     insert into member_roles (tenant_id, user_id, role_id)
     select handed.id, case r.name when 'owner' then $3::bigint else $2::bigint end, r.id
       from handed join roles r on r.tenant_id = handed.id and r.kind = 'system' and r.name in ('owner', 'admin')
     on conflict do nothing
   )
   select pg_notify('landlord_access', 'member ' || member) from handed, unnest(array[$2::bigint, $3::bigint]) as member`,
);

/** Transfers of tenants to new owners. */
@Injectable()
export class OwnershipTransfersRepository {
  constructor(private readonly database: Database) {}

  /** Creates an offer that is valid for seven days and replaces a pending one. The caller must have locked the tenant. */
  async request(
    tenantId: TenantId,
    fromUserId: UserId,
    toUserId: UserId,
  ): Promise<{ id: OwnershipTransferId; expires_at: Date }> {
    const replaced = { status: 'replaced', answered_at: () => 'now()' } as const;
    await this.database
      .repository(OwnershipTransferEntity)
      .update({ tenant_id: tenantId, status: 'pending' }, replaced);
    const values = [tenantId, fromUserId, toUserId];
    const [row] = await this.database.query<{ id: OwnershipTransferId; expires_at: Date }>(INSERT, values);
    return row as { id: OwnershipTransferId; expires_at: Date };
  }

  /** Offers to a user. */
  async listTo(userId: UserId, request: PageRequest): Promise<PageOf<OwnershipTransfer>> {
    return readPage<OwnershipTransfer>(this.database, LIST, [userId], request);
  }

  async findTo(userId: UserId, id: OwnershipTransferId): Promise<OwnershipTransfer | null> {
    return this.database.first<OwnershipTransfer>(FIND, [userId, id]);
  }

  /** Like `findTo`, and locks the offer until the transaction ends. */
  async findToForUpdate(userId: UserId, id: OwnershipTransferId): Promise<OwnershipTransfer | null> {
    return this.database.first<OwnershipTransfer>(LOCK, [userId, id]);
  }

  async answer(tenantId: TenantId, id: OwnershipTransferId, status: 'accepted' | 'rejected'): Promise<void> {
    const changes = { status, answered_at: () => 'now()' };
    await this.database.repository(OwnershipTransferEntity).update({ id, tenant_id: tenantId }, changes);
  }

  /** Returns false when `fromUserId` no longer owns the tenant. The caller must have locked the tenant. */
  async handOver(tenantId: TenantId, fromUserId: UserId, toUserId: UserId): Promise<boolean> {
    return (await this.database.query(HAND_OVER, [tenantId, fromUserId, toUserId])).length > 0;
  }
}
