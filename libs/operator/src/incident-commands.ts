import type { IncidentId } from '@libs/domain';
import { IncidentCommandsRepository, type IncidentRow } from '@libs/persistence/operator';
import { OperatorRefused } from './operator-refused.js';
import type { OperatorSession } from './operator-session.js';

/** Problems that need a person. */
export class IncidentCommands {
  private readonly rows: IncidentCommandsRepository;

  constructor(private readonly session: OperatorSession) {
    this.rows = new IncidentCommandsRepository(session.database);
  }

  /** Newest first. Only open incidents unless `isAll`. */
  list(isAll: boolean): Promise<IncidentRow[]> {
    return this.rows.list(isAll);
  }

  /** @throws OperatorRefused */
  async get(id: IncidentId): Promise<IncidentRow> {
    const incident = await this.rows.find(id);
    if (!incident)
      throw new OperatorRefused(`There is no incident ${id}. List all incidents: landlord ops incidents list --all`);
    return incident;
  }

  /** Decides about an unknown resource. The Supervisor executes the decision. @throws OperatorRefused */
  async decide(id: IncidentId, decision: 'adopt' | 'destroy'): Promise<IncidentRow> {
    return this.session.database.transaction(async () => {
      const { kind, subject } = await this.get(id);
      if (!(await this.rows.decide(id, decision)))
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
      if (!(await this.rows.close(id))) throw new OperatorRefused(`Incident ${id} is already closed.`);
      const { kind, subject, detail } = incident;
      await this.session.journal.record({
        verb: 'incidents close',
        subject: `incident ${id}`,
        detail: { kind, subject, detail },
      });
      return this.get(id);
    });
  }
}
