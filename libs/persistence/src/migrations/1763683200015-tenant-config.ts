import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who may join a tenant, and whom it may invite (C-8.2, C-8.3). */
export class TenantConfig1763683200015 implements MigrationInterface {
  name = 'TenantConfig1763683200015';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table tenants
        add column join_policy text not null default 'invite_only'
          check (join_policy in ('invite_only', 'open', 'request_to_join')),
        add column block_external_invitations boolean not null default false,
        add column enforce_domain_only_invitations boolean not null default false`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table tenants drop column join_policy, drop column block_external_invitations,
        drop column enforce_domain_only_invitations`);
  }
}
