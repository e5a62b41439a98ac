import { Injectable } from '@nestjs/common';
import type { DivisionId, TenantId, UserId } from '@libs/domain';
import { statement, Database } from '../../database.js';

/** A deleted object that was created in the name of a user, as the audit reports it. */
export interface Trace {
  tenant_id: TenantId;
  division: { id: DivisionId; name: string } | null;
  data: object;
}

const DIVISION = (id: string): string =>
  `(select jsonb_build_object('id', d.id, 'name', d.name) from divisions d where d.id = ${id}) as division`;
const OWNED = '(select id from tenants where owner_id = $1 and deleted_at is null)';

// Open streams with such a key are authorized again at once.
const KEYS = statement(
  'unverified.keys',
  `with gone as (
     delete from api_keys where user_id = $1 returning id, tenant_id, name, role_id, division_id
   ), unheld as (
     delete from roles r using gone
      where r.id = gone.role_id and r.kind = 'api_key'
        and not exists (select from api_keys k where k.role_id = r.id and k.user_id <> $1)
   )
   select tenant_id, ${DIVISION('gone.division_id')},
          jsonb_build_object('api_key_id', id, 'name', name, 'role_id', role_id, 'reason', 'address_verified_by_reset') as data,
          pg_notify('landlord_access', id::text)
     from gone order by id`,
);
const INVITATIONS = statement(
  'unverified.invitations',
  `with gone as (
     delete from invitations where inviter_id = $1 and status = 'pending'
     returning id, tenant_id, email, role_ids, division_id
   ), counted as (
     insert into cancelled_invitations (invitation_id, tenant_id) select id, tenant_id from gone
   )
   select tenant_id, ${DIVISION('gone.division_id')},
          jsonb_build_object('email', email, 'status', 'pending', 'reason', 'address_verified_by_reset',
            'roles', array(select r.name from roles r where r.tenant_id = gone.tenant_id and r.id = any(gone.role_ids) order by r.id)) as data
     from gone order by id`,
);
const CHANNELS = statement(
  'unverified.channels',
  `with gone as (
     delete from notification_channels where tenant_id in ${OWNED} returning id, tenant_id, division_id, name, channel
   )
   select tenant_id, ${DIVISION('gone.division_id')},
          jsonb_build_object('channel_id', id, 'channel', channel, 'name', name, 'reason', 'address_verified_by_reset') as data
     from gone order by id`,
);
const ADDRESSES = statement(
  'unverified.addresses',
  `with reset as (
     update tenants t set email = u.email, code_email = null, code_email_until = null, updated_at = now()
       from users u, tenants before
      where u.id = $1 and t.owner_id = u.id and t.deleted_at is null and before.id = t.id
        and (lower(t.email) <> lower(u.email) or t.code_email_until > now())
     returning t.id, t.email, before.email as previous
   )
   select id as tenant_id, null::jsonb as division,
          jsonb_build_object('email', email, 'previous', jsonb_build_object('email', previous)) as data
     from reset order by id`,
);

/**
 * Finds objects that another person can have left in an account before its address was verified. They work without the
 * password: keys, invitations, notification channels, the address for protection codes. An unverified account is a member only
 * of the tenants that it owns, so all of their channels are from that time.
 */
@Injectable()
export class UnverifiedTracesRepository {
  constructor(private readonly database: Database) {}

  async removeKeys(userId: UserId): Promise<Trace[]> {
    return this.database.query<Trace>(KEYS, [userId]);
  }

  async removeInvitations(userId: UserId): Promise<Trace[]> {
    return this.database.query<Trace>(INVITATIONS, [userId]);
  }

  async removeChannels(userId: UserId): Promise<Trace[]> {
    return this.database.query<Trace>(CHANNELS, [userId]);
  }

  /** Sets the address of the user's tenants to the address of the user, also for codes. */
  async resetAddresses(userId: UserId): Promise<Trace[]> {
    return this.database.query<Trace>(ADDRESSES, [userId]);
  }
}
