import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * When pending invitations were cancelled. A cancelled invitation leaves the list of its tenant at once, and counts against
 * the limit for 30 days more: whoever invites and cancels must not mail without end. Beside the invitations and not a status
 * of them, since the release before lists every row that it finds there.
 */
export class CancelledInvitations1763683200050 implements MigrationInterface {
  name = 'CancelledInvitations1763683200050';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table cancelled_invitations (
        invitation_id bigint primary key,
        tenant_id bigint not null references tenants,
        cancelled_at timestamptz not null default now()
      )`);
    await runner.query('create index cancelled_invitations_tenant on cancelled_invitations (tenant_id, cancelled_at)');
    await runner.query('create index cancelled_invitations_age on cancelled_invitations (cancelled_at)');
    await runner.query(
      `create index invitations_inviter on invitations (tenant_id, inviter_id) where status = 'pending'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index invitations_inviter');
    await runner.query('drop table cancelled_invitations');
  }
}
