import { Injectable } from '@nestjs/common';
import { statement, Database } from '../database.js';
import type { Incident } from './entities/incident.entity.js';

/** A problem that only an operator can fix. */
export type StandingIncident = Pick<Incident, 'kind' | 'subject' | 'detail'>;

/** The decision of an operator about an unknown resource. */
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

/** Incidents from reconcilers. A later pass closes them when the problem is gone. */
@Injectable()
export class IncidentsRepository {
  constructor(private readonly database: Database) {}

  /** Opens the incidents that are not open yet. Returns those, so that the caller logs each once. */
  async open(incidents: readonly StandingIncident[]): Promise<StandingIncident[]> {
    return this.database.query<StandingIncident>(OPEN, [
      incidents.map(({ kind }) => kind),
      incidents.map(({ subject }) => subject),
      incidents.map(({ detail }) => detail),
    ]);
  }

  /** Closes open incidents of the kind if their subject starts with `prefix` and is not in `subjects`. */
  async closeOthers(kind: string, prefix: string, subjects: readonly string[]): Promise<void> {
    await this.database.execute(CLOSE_OTHERS, [kind, `${prefix.replace(/[\\%_]/g, '\\$&')}%`, subjects]);
  }

  /** The last decision about each subject. */
  async decisions(kind: string, subjects: readonly string[]): Promise<Decision[]> {
    return this.database.query<Decision>(DECISIONS, [kind, subjects]);
  }
}
