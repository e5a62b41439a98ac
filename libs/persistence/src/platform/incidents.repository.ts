import { statement, type Database } from '../database.js';

/** Something that only an operator can put right. */
export interface StandingIncident {
  kind: string;
  /** With the kind, what makes it one: it is opened once, however often it is found. */
  subject: string;
  detail: string;
}

/** What an operator decided about something found that nobody knows. */
export interface Decision {
  subject: string;
  decision: 'adopt' | 'destroy';
}

const OPEN = statement(
  'incident.open',
  `insert into incidents (kind, subject, detail)
   select i.kind, i.subject, i.detail from unnest($1::text[], $2::text[], $3::text[]) as i (kind, subject, detail)
   on conflict (kind, subject) where closed_at is null do nothing
   returning kind, subject, detail`,
);
const CLOSE_OTHERS = statement(
  'incident.close_others',
  `update incidents set closed_at = now() where kind = $1 and subject like $2 and closed_at is null and subject <> all($3::text[])`,
);
const DECISIONS = statement(
  'incident.decisions',
  `select distinct on (subject) subject, decision from incidents
    where kind = $1 and subject = any($2::text[]) and decision is not null order by subject, id desc`,
);

/** Incidents of standing truths: found by looking, closed by looking again. */
export class IncidentsRepository {
  constructor(private readonly database: Database) {}

  /** Opens what is not open yet; answers what was opened, for the one log line. */
  async open(incidents: readonly StandingIncident[]): Promise<StandingIncident[]> {
    return this.database.query<StandingIncident>(OPEN, [
      incidents.map(({ kind }) => kind),
      incidents.map(({ subject }) => subject),
      incidents.map(({ detail }) => detail),
    ]);
  }

  /** Closes the open incidents of the kind whose subject begins with `prefix` and is not among `subjects`. */
  async closeOthers(kind: string, prefix: string, subjects: readonly string[]): Promise<void> {
    await this.database.execute(CLOSE_OTHERS, [kind, `${prefix.replace(/[\\%_]/g, '\\$&')}%`, subjects]);
  }

  /** What was last decided about each of the subjects. */
  async decisions(kind: string, subjects: readonly string[]): Promise<Decision[]> {
    return this.database.query<Decision>(DECISIONS, [kind, subjects]);
  }
}
