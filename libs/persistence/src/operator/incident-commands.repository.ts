import { Injectable } from '@nestjs/common';
import type { IncidentId } from '@libs/domain';
import { IsNull } from 'typeorm';
import { statement, Database } from '../database.js';
import { Incident } from '../platform/entities/incident.entity.js';

/** An incident: a problem that needs a person. */
export type IncidentRow = Pick<
  Incident,
  'id' | 'kind' | 'subject' | 'operation_id' | 'detail' | 'decision' | 'opened_at' | 'closed_at'
>;

// Each kind and subject has at most one open incident. A second report replaces its detail.
const OPEN = statement(
  'operator.open_incident',
  `insert into incidents (kind, subject, detail) values ($1, $2, $3)
   on conflict (kind, subject) where closed_at is null do update set detail = excluded.detail
   returning id`,
);

const CLOSED = { closed_at: () => 'now()' };

/** Incidents, for operators to read, open and close. */
@Injectable()
export class IncidentCommandsRepository {
  constructor(private readonly database: Database) {}

  /** Newest first. Only open incidents unless `isAll`. */
  async list(isAll: boolean): Promise<IncidentRow[]> {
    const where = isAll ? {} : { closed_at: IsNull() };
    return this.database.repository(Incident).find({ where, order: { id: 'DESC' }, take: 1000 });
  }

  async find(id: IncidentId): Promise<IncidentRow | null> {
    return this.database.repository(Incident).findOneBy({ id });
  }

  /** Returns false when the incident is already closed or does not exist. */
  async close(id: IncidentId): Promise<boolean> {
    const { affected } = await this.database.repository(Incident).update({ id, closed_at: IsNull() }, CLOSED);
    return affected === 1;
  }

  /** Returns false when the incident is closed, does not exist, or does not concern an unknown resource. */
  async decide(id: IncidentId, decision: 'adopt' | 'destroy'): Promise<boolean> {
    const incident = { id, kind: 'unknown_resource', closed_at: IsNull() };
    const { affected } = await this.database.repository(Incident).update(incident, { decision });
    return affected === 1;
  }

  /** Returns the number of closed incidents. */
  async closeKind(kind: string): Promise<number> {
    const { affected } = await this.database.repository(Incident).update({ kind, closed_at: IsNull() }, CLOSED);
    return affected ?? 0;
  }

  async open(kind: string, subject: string, detail: string): Promise<IncidentId> {
    const [row] = await this.database.query<{ id: IncidentId }>(OPEN, [kind, subject, detail]);
    return row?.id ?? 0;
  }
}
