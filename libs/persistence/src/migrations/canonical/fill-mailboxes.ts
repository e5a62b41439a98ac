import { canonicalMailbox } from '@libs/domain';
import type { QueryRunner } from 'typeorm';

interface Addressed {
  id: string;
  email: string;
}

/** Rows that share a mailbox, and are no doubles for another reason: an answered invitation is history. */
const PLACES = {
  users: { place: '0', where: 'true' },
  invitations: { place: 'tenant_id', where: `status = 'pending'` },
} as const;

/** Fills the mailbox of every account and invitation, and marks all but the oldest row of each mailbox. */
export async function fillMailboxes(runner: QueryRunner): Promise<void> {
  for (const table of ['users', 'invitations'] as const) {
    await runner.query(`update ${table} set email_canonical = lower(email)`);
    // Only these addresses can have another form than the lower case of ASCII.
    const others = (await runner.query(
      `select id, email from ${table} where email !~ '^[!-~]+$' or email like '%.' order by id`,
    )) as Addressed[];
    await runner.query(
      `update ${table} t set email_canonical = f.form from unnest($1::bigint[], $2::text[]) as f(id, form) where t.id = f.id`,
      [others.map(({ id }) => id), others.map(({ email }) => canonicalMailbox(email))],
    );
    const { place, where } = PLACES[table];
    await runner.query(
      `update ${table} t set email_doubled = true
         from (select id, row_number() over (partition by ${place}, email_canonical order by id) as copy
                 from ${table} where ${where}) n
        where n.id = t.id and n.copy > 1`,
    );
  }
}
