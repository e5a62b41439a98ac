import { nameKey } from '@libs/domain';
import { statement } from '@libs/persistence';
import { NAMED_ROWS } from '@libs/persistence/operator';
import type { OperatorSession } from '../operator-session.js';

/** Rows of one place that this release would not take beside each other. */
export interface Doubles {
  /** `account`, `invitation`, or what has the name. */
  kind: string;
  /** Where they are: a tenant for invitations, the parent for names. Null for accounts. */
  place: string | null;
  /** The form in which they are equal. */
  canonical: string;
  rows: { id: number; spelling: string }[];
}

const MAILBOXES = statement(
  'operator.doubled_mailboxes',
  `select kind, place, canonical, jsonb_agg(jsonb_build_object('id', id, 'spelling', email) order by id) as rows
     from (select 'account' as kind, null::text as place, email_canonical as canonical, id, email from users
           union all
           select 'invitation', tenant_id::text, email_canonical, id, email from invitations where status = 'pending') r
    group by 1, 2, 3 having count(*) > 1 order by 1, 2, 3`,
);

interface Named {
  kind: string;
  id: number;
  place: string;
  name: string;
}

const NAMES = statement(
  'operator.unique_names',
  NAMED_ROWS.filter(({ isUnique }) => isUnique)
    .map(
      ({ kind, table, place, where }) =>
        `select '${kind}' as kind, id, (${place})::text as place, name from ${table} where (${where})`,
    )
    .join(' union all ') + ' order by kind, id',
);

/** What an earlier release stored twice in different spellings. */
export class DoublesCommands {
  constructor(private readonly session: OperatorSession) {}

  async list(): Promise<Doubles[]> {
    const { database } = this.session;
    const mailboxes = await database.query<Doubles>(MAILBOXES);
    return [...mailboxes, ...doublesOf(await database.query<Named>(NAMES))];
  }
}

// The form of a name is that of `nameKey`, which PostgreSQL cannot compute.
function doublesOf(names: readonly Named[]): Doubles[] {
  const groups = new Map<string, Doubles>();
  for (const { kind, id, place, name } of names) {
    const canonical = nameKey(name);
    const key = `${kind}\0${place}\0${canonical}`;
    const group = groups.get(key) ?? { kind, place, canonical, rows: [] };
    group.rows.push({ id, spelling: name });
    groups.set(key, group);
  }
  return [...groups.values()].filter(({ rows }) => rows.length > 1);
}
