import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A tenant has one owner, and ownership is handed over. The release before gave the role `owner` to members as it gave any
 * other role. Such members become admins here, with an audit entry each; the owner of the tenant stays the owner.
 */
export class OneOwner1763683200051 implements MigrationInterface {
  name = 'OneOwner1763683200051';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table ownership_transfers (
        id bigint generated always as identity primary key check (id <= 9007199254740991),
        tenant_id bigint not null references tenants,
        from_user_id bigint not null references users,
        to_user_id bigint not null references users,
        status text not null default 'pending' check (status in ('pending', 'accepted', 'rejected', 'replaced')),
        created_at timestamptz not null default now(),
        expires_at timestamptz not null,
        answered_at timestamptz
      )`);
    await runner.query(
      `create unique index ownership_transfers_pending on ownership_transfers (tenant_id) where status = 'pending'`,
    );
    await runner.query('create index ownership_transfers_to on ownership_transfers (to_user_id, id desc)');
    await runner.query(DEMOTE_OTHER_OWNERS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table ownership_transfers');
  }
}

/** In the order of the members, so that the entries of one tenant stand in one order everywhere. */
const DEMOTE_OTHER_OWNERS = `
  with other as (
    select m.tenant_id, m.user_id, u.name, owner.id as owner_role, admin.id as admin_role
      from tenants t
      join roles owner on owner.tenant_id = t.id and owner.kind = 'system' and owner.name = 'owner'
      join roles admin on admin.tenant_id = t.id and admin.kind = 'system' and admin.name = 'admin'
      join member_roles m on m.tenant_id = t.id and m.role_id = owner.id and m.user_id <> t.owner_id
      join users u on u.id = m.user_id
  ), taken as (
    delete from member_roles m using other
     where m.tenant_id = other.tenant_id and m.user_id = other.user_id and m.role_id = other.owner_role
  ), given as (
    insert into member_roles (tenant_id, user_id, role_id) select tenant_id, user_id, admin_role from other
    on conflict do nothing
  )
  insert into audit_entries (retention_class, tenant_id, type, user_id, user_name, data)
  select 365, tenant_id, 'role_revoked', user_id, name,
         jsonb_build_object('role_id', owner_role, 'role_name', 'owner', 'replaced_by', 'admin')
    from other order by tenant_id, user_id`;
