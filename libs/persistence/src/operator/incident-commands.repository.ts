import { Injectable } from '@nestjs/common';
import type { IncidentId } from '@libs/domain';
import { statement, Database } from '../database.js';
import type { Incident } from '../platform/entities/incident.entity.js';

/** An incident: a problem that needs a person. */
export type IncidentRow = Pick<
  Incident,
  'id' | 'kind' | 'subject' | 'operation_id' | 'detail' | 'decision' | 'opened_at' | 'closed_at'
>;

const COLUMNS = 'id, kind, subject, operation_id, detail, decision, opened_at, closed_at';
const LIST = statement(
  'operator.incidents',
  `select ${COLUMNS} from incidents where $1 or closed_at is null order by id desc limit 1000`,
);
const FIND = statement('operator.incident', `select ${COLUMNS} from incidents where id = $1`);
const CLOSE = statement(
  'operator.close_incident',
  'update incidents set closed_at = now() where id = $1 and closed_at is null',
);
const DECIDE = statement(
  'operator.decide_incident',
  `update incidents set decision = $2 where id = $1 and kind = 'unknown_resource' and closed_at is null`,
);
const CLOSE_KIND = statement(
  'operator.close_incidents',
  'update incidents set closed_at = now() where kind = $1 and closed_at is null',
);
// Each kind and subject has at most one open incident. A second report replaces its detail.
const OPEN = statement(
  'operator.open_incident',
  `insert into incidents (kind, subject, detail) values ($1, $2, $3)
   on conflict (kind, subject) where closed_at is null do update set detail = excluded.detail
   returning id`,
);

/** Incidents, for operators to read, open and close. */
@Injectable()
export class IncidentCommandsRepository {
  constructor(private readonly database: Database) {}

  /** Newest first. Only open incidents unless `isAll`. */
  async list(isAll: boolean): Promise<IncidentRow[]> {
    return this.database.query<IncidentRow>(LIST, [isAll]);
  }

  async find(id: IncidentId): Promise<IncidentRow | null> {
    const [row] = await this.database.query<IncidentRow>(FIND, [id]);
    return row ?? null;
  }

  /** Returns false when the incident is already closed or does not exist. */
  async close(id: IncidentId): Promise<boolean> {
    return (await this.database.execute(CLOSE, [id])) === 1;
  }

  /** Returns false when the incident is closed, does not exist, or does not concern an unknown resource. */
  async decide(id: IncidentId, decision: 'adopt' | 'destroy'): Promise<boolean> {
    return (await this.database.execute(DECIDE, [id, decision])) === 1;
  }

  /** Returns the number of closed incidents. */
  async closeKind(kind: string): Promise<number> {
    return this.database.execute(CLOSE_KIND, [kind]);
  }

  async open(kind: string, subject: string, detail: string): Promise<IncidentId> {
    const [row] = await this.database.query<{ id: IncidentId }>(OPEN, [kind, subject, detail]);
    return row?.id ?? 0;
  }
}
