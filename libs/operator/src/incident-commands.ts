import type { IncidentId } from '@libs/domain';
import { Incident } from '@libs/persistence/operator';
import { IsNull } from 'typeorm';
import { existing, OperatorRefused } from './operator-refused.js';
import type { OperatorSession } from './operator-session.js';

/** An incident: a problem that needs a person. */
export type IncidentRow = Pick<
  Incident,
  'id' | 'kind' | 'subject' | 'operation_id' | 'detail' | 'decision' | 'opened_at' | 'closed_at'
>;

/** Problems that need a person. */
export class IncidentCommands {
  constructor(private readonly session: OperatorSession) {}

  /** Newest first. Only open incidents unless `isAll`. */
  list(isAll: boolean): Promise<IncidentRow[]> {
    const where = isAll ? {} : { closed_at: IsNull() };
    return this.session.database.repository(Incident).find({ where, order: { id: 'DESC' }, take: 1000 });
  }

  /** @throws OperatorRefused */
  async get(id: IncidentId): Promise<IncidentRow> {
    const incident = await this.session.database.repository(Incident).findOneBy({ id });
    return existing(incident, 'incident', id, 'landlord ops incidents list --all');
  }

  /** Decides about an unknown resource. The Supervisor executes the decision. @throws OperatorRefused */
  async decide(id: IncidentId, decision: 'adopt' | 'destroy'): Promise<IncidentRow> {
    return this.session.database.transaction(async () => {
      const { kind, subject } = await this.get(id);
      if (!(await this.storeDecision(id, decision)))
        throw new OperatorRefused(`Incident ${id} (${kind}) is closed, or it does not report an unknown resource.`);
      await this.session.journal.record({
        verb: `incidents ${decision}`,
        subject: `incident ${id}`,
        detail: { subject },
      });
      return this.get(id);
    });
  }

  /**
   * Closes an incident after its problem was fixed. If a reconciler still finds the problem, it opens a new incident. A late
   * step is reported only once.
   * @throws OperatorRefused
   */
  async close(id: IncidentId): Promise<IncidentRow> {
    return this.session.database.transaction(async () => {
      const incident = await this.get(id);
      if (!(await this.storeEnd(id))) throw new OperatorRefused(`Incident ${id} is already closed.`);
      const { kind, subject, detail } = incident;
      await this.session.journal.record({
        verb: 'incidents close',
        subject: `incident ${id}`,
        detail: { kind, subject, detail },
      });
      return this.get(id);
    });
  }

  private async storeDecision(id: IncidentId, decision: 'adopt' | 'destroy'): Promise<boolean> {
    const open = { id, kind: 'unknown_resource', closed_at: IsNull() };
    const { affected } = await this.session.database.repository(Incident).update(open, { decision });
    return affected === 1;
  }

  private async storeEnd(id: IncidentId): Promise<boolean> {
    const open = { id, closed_at: IsNull() };
    const { affected } = await this.session.database.repository(Incident).update(open, { closed_at: () => 'now()' });
    return affected === 1;
  }
}
