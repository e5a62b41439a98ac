import { Injectable } from '@nestjs/common';
import { statement, Database } from '../database.js';

/**
 * The gap in ids after a restore. It is larger than the number of ids that an installation uses between a backup and its
 * restore.
 */
const ID_GAP = 1_000_000;

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
const MOVE_DOCUMENTS = statement('restoration.move_documents', 'update node_documents set timeline = $1');
// Ids from after the backup are in use outside the database: on command lines of agents, in resource names, at customers. A
// reused id would identify two different things.
const SKIP_IDS = statement(
  'restoration.skip_ids',
  `select count(setval(format('%I.%I', schemaname, sequencename)::regclass, coalesce(last_value, start_value - 1) + ${ID_GAP}))::int as sequences
     from pg_sequences where schemaname = 'public'`,
);

/** Prepares a database that was restored from a backup for operation. */
@Injectable()
export class RestorationRepository {
  constructor(private readonly database: Database) {}

  /** The name and the timeline of the installation. Locks the row until the transaction ends, whose statements have no time limit. */
  async findForUpdate(): Promise<{ name: string; timeline: number } | null> {
    const [row] = await this.database.query<{ name: string; timeline: number }>(LOCK);
    return row ?? null;
  }

  /** Starts a new timeline and the hold on destruction, which an operator must end. Returns the timeline. */
  async raiseTimeline(): Promise<number> {
    const [row] = await this.database.query<{ timeline: number }>(RAISE);
    return row?.timeline ?? 0;
  }

  /** Moves every document to the timeline and keeps its generation. Agents accept it whatever document they have. */
  async moveDocuments(timeline: number): Promise<number> {
    return this.database.execute(MOVE_DOCUMENTS, [timeline]);
  }

  /** Moves the ids of new rows far above every id that was assigned after the backup. */
  async skipIds(): Promise<void> {
    await this.database.query(SKIP_IDS);
  }
}
