import type { MigrationInterface, QueryRunner } from 'typeorm';
import { fillMailboxes } from './canonical/fill-mailboxes.js';
import { repairNames } from './canonical/repair-names.js';

/**
 * One mailbox is one account. Rows that an earlier release stored twice stay, with `email_doubled` on all but the oldest, so that
 * nobody loses an account: `landlord ops doubles list` names them. While an earlier release runs, a trigger fills the new columns.
 */
export class CanonicalForms1763683200130 implements MigrationInterface {
  name = 'CanonicalForms1763683200130';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['users', 'invitations'])
      await runner.query(
        `alter table ${table} add column email_canonical text not null default '',
           add column email_doubled boolean not null default false`,
      );
    await runner.query(FILL);
    await fillMailboxes(runner);
    for (const table of ['users', 'invitations']) {
      await runner.query(`alter table ${table} add constraint ${table}_has_mailbox check (email_canonical <> '')`);
      await runner.query(
        `create trigger ${table}_email_canonical before insert or update of email on ${table}
           for each row execute function fill_email_canonical()`,
      );
      // Also for rows that come by replication, whose source can be an earlier release.
      await runner.query(`alter table ${table} enable always trigger ${table}_email_canonical`);
    }
    await runner.query('create unique index users_mailbox on users (email_canonical) where not email_doubled');
    await runner.query('create index users_email_canonical on users (email_canonical)');
    await runner.query(
      `create unique index invitations_mailbox on invitations (tenant_id, email_canonical)
        where status = 'pending' and not email_doubled`,
    );
    await runner.query('create index invitations_email_canonical on invitations (email_canonical, id desc)');
    await repairNames(runner);
    // Tasks can join one operation.
    await runner.query('alter table tasks drop constraint tasks_operation_id_key');
    await runner.query('create index tasks_operation on tasks (operation_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['users', 'invitations']) {
      await runner.query(`drop trigger ${table}_email_canonical on ${table}`);
      await runner.query(`alter table ${table} drop column email_canonical, drop column email_doubled`);
    }
    await runner.query('drop function fill_email_canonical()');
    await runner.query('drop index tasks_operation');
    await runner.query('delete from tasks t using tasks o where o.operation_id = t.operation_id and o.id < t.id');
    await runner.query('alter table tasks add constraint tasks_operation_id_key unique (operation_id)');
  }
}

/** This release writes the column itself. The trigger knows only the letters of ASCII, as the release before did. */
const FILL = `create function fill_email_canonical() returns trigger language plpgsql as $$
  begin
    if new.email_canonical = '' or (tg_op = 'UPDATE' and new.email is distinct from old.email
                                       and new.email_canonical is not distinct from old.email_canonical) then
      new.email_canonical := lower(new.email);
    end if;
    return new;
  end $$`;
