import { Injectable } from '@nestjs/common';
import { canonicalMailbox, type DivisionId, type InvitationId, type TenantId, type UserId } from '@libs/domain';
import { IsNull, Not } from 'typeorm';
import { caseless, inPast, longAgo } from '../../conditions.js';
import { statement, Database } from '../../database.js';
import { byTime, paged, readPage, type PageOf, type PageRequest } from '../../page-of.js';
import type { Invitation, InvitationScope, InvitationStatus, NewInvitation, SentInvitation } from './invitation.js';
import { Tenant } from '../entities/tenant.entity.js';
import { Invitation as InvitationEntity } from '../entities/invitation.entity.js';
import { CancelledInvitation } from '../entities/cancelled-invitation.entity.js';

const STATUS = `case when i.status = 'pending' and i.expires_at <= now() then 'expired' else i.status end`;
const COLUMNS = `i.id, i.tenant_id, t.name as tenant_name, i.email, i.division_id, d.name as division_name,
  i.division_id is null or d.deleted_at is null as is_division_alive, ${STATUS} as status, u.name as inviter_name, i.expires_at,
  i.created_at,
  coalesce((select jsonb_agg(jsonb_build_object('id', r.id, 'name', r.name) order by r.id)
              from roles r where r.tenant_id = i.tenant_id and r.id = any(i.role_ids)), '[]') as roles`;
const INVITATIONS = `from invitations i join tenants t on t.id = i.tenant_id and t.deleted_at is null
  join users u on u.id = i.inviter_id left join divisions d on d.id = i.division_id`;
const OF_TENANT = `${INVITATIONS} where i.tenant_id = $1 and ($2::bigint is null or i.division_id = $2)`;
const TO_ADDRESS = `${INVITATIONS} where i.email_canonical = $1`;

const LIST = paged('invitation.list', {
  columns: COLUMNS,
  rows: `${OF_TENANT} and ($3::text is null or ${STATUS} = $3)`,
  id: 'i.id',
  keys: { created_at: byTime('i.created_at') },
});
const FIND = statement('invitation.find', `select ${COLUMNS} ${OF_TENANT} and i.id = $3`);
const LOCK = statement('invitation.lock', `select ${COLUMNS} ${OF_TENANT} and i.id = $3 for update of i`);
const LIST_TO = paged('invitation.list_to', {
  columns: COLUMNS,
  rows: `${TO_ADDRESS} and ($2::text is null or ${STATUS} = $2)`,
  id: 'i.id',
  keys: { created_at: byTime('i.created_at') },
});
const FIND_TO = statement('invitation.find_to', `select ${COLUMNS} ${TO_ADDRESS} and i.id = $2`);
const LOCK_TO = statement('invitation.lock_to', `select ${COLUMNS} ${TO_ADDRESS} and i.id = $2 for update of i`);
/** How long a cancelled invitation counts against the limit of invitations. */
const CANCELLED_COUNTS_FOR = '30 days';
const CENSUS = statement(
  'invitation.census',
  `select count(*)::int + (select count(*)::int from cancelled_invitations
                            where tenant_id = $1 and cancelled_at > now() - interval '${CANCELLED_COUNTS_FOR}') as counted,
          (count(*) filter (where status = 'pending' and expires_at > now()))::int as pending
     from invitations where tenant_id = $1`,
);
// Stores cancelled invitations as long as they count. Does not cancel or return invitations that were answered before.
const CANCEL = statement(
  'invitation.cancel',
  `with gone as (
     delete from invitations where tenant_id = $1 and id = any($2::bigint[]) and status = 'pending' returning id, tenant_id
   )
   insert into cancelled_invitations (invitation_id, tenant_id) select id, tenant_id from gone returning invitation_id as id`,
);
// Locks the rows, so that the invited user cannot accept one between this read and the cancellation.
const PENDING_OF = statement(
  'invitation.pending_of',
  `select ${COLUMNS}, i.inviter_id,
          array(select r.permissions from roles r where r.tenant_id = i.tenant_id and r.id = any(i.role_ids)) as trees
     ${INVITATIONS} where i.tenant_id = $1 and i.inviter_id = any($2::bigint[]) and i.status = 'pending' and i.expires_at > now()
    order by i.id for update of i`,
);

const overdue = () => ({ status: 'pending' as const, expires_at: inPast() });

/** Invitations, for the tenant and for the invited users. */
@Injectable()
export class InvitationsRepository {
  constructor(private readonly database: Database) {}

  async list(
    scope: InvitationScope,
    status: InvitationStatus | null,
    request: PageRequest,
  ): Promise<PageOf<Invitation>> {
    return readPage<Invitation>(this.database, LIST, [...inScope(scope), status], request);
  }

  async find(scope: InvitationScope, id: InvitationId): Promise<Invitation | null> {
    return this.database.first<Invitation>(FIND, [...inScope(scope), id]);
  }

  /** Reads the invitation and locks it until the transaction ends. */
  async findForUpdate(scope: InvitationScope, id: InvitationId): Promise<Invitation | null> {
    return this.database.first<Invitation>(LOCK, [...inScope(scope), id]);
  }

  /** Invitations to a mailbox in all tenants, in any spelling of its address. */
  async listTo(email: string, status: InvitationStatus | null, request: PageRequest): Promise<PageOf<Invitation>> {
    return readPage<Invitation>(this.database, LIST_TO, [canonicalMailbox(email), status], request);
  }

  /** The invitation, if it is to this address. */
  async findTo(email: string, id: InvitationId): Promise<Invitation | null> {
    return this.database.first<Invitation>(FIND_TO, [canonicalMailbox(email), id]);
  }

  /** Like `findTo`, and locks the invitation until the transaction ends. */
  async findToForUpdate(email: string, id: InvitationId): Promise<Invitation | null> {
    return this.database.first<Invitation>(LOCK_TO, [canonicalMailbox(email), id]);
  }

  /**
   * Counts the invitations that use the limits of a tenant. `counted`: stored invitations, and those that were cancelled in the
   * last 30 days. `pending`: pending ones. Marks expired invitations first.
   */
  async census(tenantId: TenantId): Promise<{ counted: number; pending: number }> {
    await this.database
      .repository(InvitationEntity)
      .update({ tenant_id: tenantId, ...overdue() }, { status: 'expired' });
    return this.usage(tenantId);
  }

  /** Like `census`, for a reader. */
  async usage(tenantId: TenantId): Promise<{ counted: number; pending: number }> {
    const [row] = await this.database.query<{ counted: number; pending: number }>(CENSUS, [tenantId]);
    return row ?? { counted: 0, pending: 0 };
  }

  async findPendingId(tenantId: TenantId, email: string): Promise<InvitationId | null> {
    const where = { tenant_id: tenantId, email_canonical: canonicalMailbox(email), status: 'pending' as const };
    const oldest = { select: { id: true }, where, order: { id: 'ASC' } } as const;
    const invitation = await this.database.repository(InvitationEntity).findOne(oldest);
    return invitation?.id ?? null;
  }

  /** Returns the new id. */
  async insert({ tenantId, email, divisionId, roleIds, inviterId }: NewInvitation): Promise<InvitationId> {
    const invitation = {
      ...{ tenant_id: tenantId, email, email_canonical: canonicalMailbox(email), division_id: divisionId },
      ...{ role_ids: [...roleIds], status: 'pending' as const, inviter_id: inviterId },
      expires_at: () => `now() + interval '7 days'`,
    };
    const { identifiers } = await this.database.repository(InvitationEntity).insert(invitation);
    return Number(identifiers[0]?.['id']);
  }

  async answer(tenantId: TenantId, id: InvitationId, status: 'accepted' | 'rejected'): Promise<void> {
    const changes = { status, answered_at: () => 'now()' };
    await this.database.repository(InvitationEntity).update({ id, tenant_id: tenantId }, changes);
  }

  /** Pending invitations from these users, with the permissions that each gives. Locks them until the transaction ends. */
  async pendingOf(tenantId: TenantId, inviterIds: readonly UserId[]): Promise<SentInvitation[]> {
    return this.database.query<SentInvitation>(PENDING_OF, [tenantId, inviterIds]);
  }

  /** Deletes the pending invitations among the ids. They count against the limit for 30 more days. Returns the deleted ids. */
  async cancel(tenantId: TenantId, ids: readonly InvitationId[]): Promise<InvitationId[]> {
    const rows = await this.database.query<{ id: InvitationId }>(CANCEL, [tenantId, ids]);
    return rows.map(({ id }) => id);
  }

  /** Deletes records of invitations that were cancelled more than 30 days ago. */
  async forgetCancelledUnscoped(): Promise<void> {
    await this.database.repository(CancelledInvitation).delete({ cancelled_at: longAgo(CANCELLED_COUNTS_FOR) });
  }

  async delete(tenantId: TenantId, id: InvitationId): Promise<void> {
    await this.database.repository(InvitationEntity).delete({ id, tenant_id: tenantId });
  }

  /** Marks expired invitations of all tenants. Returns their number. */
  async expireUnscoped(): Promise<number> {
    const { affected } = await this.database.repository(InvitationEntity).update(overdue(), { status: 'expired' });
    return affected ?? 0;
  }

  /** Whether another tenant has claimed the domain and blocks invitations from other tenants to it. */
  async isDomainLocked(tenantId: TenantId, domain: string): Promise<boolean> {
    const others = { id: Not(tenantId), email_domain: caseless(domain), deleted_at: IsNull() };
    return this.database.repository(Tenant).existsBy({ ...others, block_external_invitations: true });
  }
}

const inScope = ({ tenantId, divisionScope }: InvitationScope): [TenantId, DivisionId | null] => [
  tenantId,
  divisionScope,
];
