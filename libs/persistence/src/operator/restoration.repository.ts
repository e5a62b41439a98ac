import { statement, type Database } from '../database.js';

/** How far ids jump at a restore. Larger than what any installation gives out between a backup and its use. */
const ID_GAP = 1_000_000;

const LOCK = statement('restoration.lock', 'select name, timeline from installation for update');
// Not old + 1 alone: two restores of one backup would then be on one timeline, and an agent that saw the first would
// take a document of the second for an older one of the same life. The clock tells the two apart.
const RAISE = statement(
  'restoration.raise_timeline',
  `update installation set timeline = greatest(timeline + 1, extract(epoch from clock_timestamp())::bigint),
          destruction_held_since = now()
   returning timeline`,
);
const MOVE_DOCUMENTS = statement('restoration.move_documents', 'update node_documents set timeline = $1');
// Ids given out after the backup are in the world: on agents' command lines, in names of resources, at customers. Given
// out again they would name two things.
const SKIP_IDS = statement(
  'restoration.skip_ids',
  `select count(setval(format('%I.%I', schemaname, sequencename)::regclass, coalesce(last_value, start_value - 1) + ${ID_GAP}))::int as sequences
     from pg_sequences where schemaname = 'public'`,
);

/** Makes a database that came out of a backup the present again. */
export class RestorationRepository {
  constructor(private readonly database: Database) {}

  /** What the installation is called and where its timeline stood; held until the transaction ends. */
  async lock(): Promise<{ name: string; timeline: number } | null> {
    const [row] = await this.database.query<{ name: string; timeline: number }>(LOCK);
    return row ?? null;
  }

  /** Begins a new timeline, on which nothing is destroyed until an operator says so. Answers it. */
  async raiseTimeline(): Promise<number> {
    const [row] = await this.database.query<{ timeline: number }>(RAISE);
    return row?.timeline ?? 0;
  }

  /** Puts every document on the timeline, with the generation it has: agents take it whatever they hold. */
  async moveDocuments(timeline: number): Promise<number> {
    return this.database.execute(MOVE_DOCUMENTS, [timeline]);
  }

  /** Lets the ids of new rows begin well above every id that may have been given out since the backup. */
  async skipIds(): Promise<void> {
    await this.database.query(SKIP_IDS);
  }
}
