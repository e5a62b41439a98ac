import { statement } from '@libs/persistence';
import { OperatorRefused } from './operator-refused.js';
import type { OperatorSession } from './operator-session.js';

/** Kind of the incident that is open during the hold on destruction. */
export const RESTORED_FROM_BACKUP = 'restored_from_backup';

/**
 * The gap in ids after a restore. It is larger than the number of ids that an installation uses between a backup and its
 * restore.
 */
const ID_GAP = 1_000_000;

const APPS = statement(
  'health.apps',
  `select distinct application_name as name from pg_stat_activity
    where datname = current_database() and application_name in ('landlord-main-api', 'landlord-supervisor', 'landlord-listen')
    order by 1`,
);
// The documents of all nodes change in one statement, which takes longer than other statements may.
const LOCK = statement(
  'restoration.lock',
  `select name, timeline, set_config('statement_timeout', '0', true) from installation for update`,
);
// Timeline + 1 alone is not enough: two restores of one backup would get the same timeline. An agent that saw the first restore
// would take a document of the second one for an older document of the same timeline. The clock makes them differ.
const RAISE = statement(
  'restoration.raise_timeline',
  `update installation set timeline = greatest(timeline + 1, extract(epoch from clock_timestamp())::bigint),
          destruction_held_since = now()
   returning timeline`,
);
// Keeps the generation of every document. Agents accept it whatever document they have.
const MOVE_DOCUMENTS = statement('restoration.move_documents', 'update node_documents set timeline = $1');
// Ids from after the backup are in use outside the database: on command lines of agents, in resource names, at customers. A
// reused id would identify two different things.
const SKIP_IDS = statement(
  'restoration.skip_ids',
  `select count(setval(format('%I.%I', schemaname, sequencename)::regclass, coalesce(last_value, start_value - 1) + ${ID_GAP}))::int as sequences
     from pg_sequences where schemaname = 'public'`,
);
// Each kind and subject has at most one open incident. A second report replaces its detail.
const OPEN_INCIDENT = statement(
  'restoration.open_incident',
  `insert into incidents (kind, subject, detail) values ($1, $2, $3)
   on conflict (kind, subject) where closed_at is null do update set detail = excluded.detail`,
);

export interface Restored {
  installation: string;
  timeline: number;
  documents: number;
}

/**
 * Prepares a restored database for operation, in one transaction: a new timeline, so that running agents accept their documents
 * whatever they have; no reused ids; and no destruction until an operator has checked.
 */
export class Restoration {
  constructor(private readonly session: OperatorSession) {}

  /** @throws OperatorRefused while an app is connected, because it would continue with its state from before the restore */
  async requireQuiet(): Promise<void> {
    const apps = await this.session.database.query<{ name: string }>(APPS);
    if (apps.length === 0) return;
    const names = apps.map(({ name }) => name).join(', ');
    throw new OperatorRefused(`Stop every process of Landlord first. These processes are connected: ${names}`);
  }

  /** `origin` names the source of the data, for people. @throws OperatorRefused for an empty database */
  async complete(origin: string): Promise<Restored> {
    const { database, journal } = this.session;
    return database.transaction(async () => {
      const before = await this.lock();
      if (!before)
        throw new OperatorRefused('The database contains no installation. Restore a dump with pg_restore first.');
      const { name, timeline: from_timeline } = before;
      const [raised] = await database.query<{ timeline: number }>(RAISE);
      const timeline = raised?.timeline ?? 0;
      const documents = await database.execute(MOVE_DOCUMENTS, [timeline]);
      await database.query(SKIP_IDS);
      await database.execute(OPEN_INCIDENT, [
        RESTORED_FROM_BACKUP,
        name,
        `The database was restored from ${origin}. Landlord destroys no resources until you run: landlord ops resume-destruction`,
      ]);
      const detail = { origin, from_timeline, timeline };
      await journal.record({ verb: 'restore', subject: `installation ${name}`, detail });
      return { installation: name, timeline, documents };
    });
  }

  /** Locks the installation until the transaction ends, whose statements have no time limit. */
  private async lock(): Promise<{ name: string; timeline: number } | undefined> {
    const [row] = await this.session.database.query<{ name: string; timeline: number }>(LOCK);
    return row;
  }
}
