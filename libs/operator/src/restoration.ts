import {
  DatabaseHealthRepository,
  IncidentCommandsRepository,
  RestorationRepository,
} from '@libs/persistence/operator';
import { OperatorRefused } from './operator-refused.js';
import type { OperatorSession } from './operator-session.js';

/** Kind of the incident that is open during the hold on destruction. */
export const RESTORED_FROM_BACKUP = 'restored_from_backup';

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
    const apps = await new DatabaseHealthRepository(this.session.database).connectedApps();
    if (apps.length === 0) return;
    throw new OperatorRefused(
      `Stop every process of Landlord first. These processes are connected: ${apps.join(', ')}`,
    );
  }

  /** `origin` names the source of the data, for people. @throws OperatorRefused for an empty database */
  async complete(origin: string): Promise<Restored> {
    const { database, journal } = this.session;
    const rows = new RestorationRepository(database);
    return database.transaction(async () => {
      const before = await rows.findForUpdate();
      if (!before)
        throw new OperatorRefused('The database contains no installation. Restore a dump with pg_restore first.');
      const timeline = await rows.raiseTimeline();
      const documents = await rows.moveDocuments(timeline);
      await rows.skipIds();
      await new IncidentCommandsRepository(database).open(
        RESTORED_FROM_BACKUP,
        before.name,
        `The database was restored from ${origin}. Landlord destroys no resources until you run: landlord ops resume-destruction`,
      );
      await journal.record({
        verb: 'restore',
        subject: `installation ${before.name}`,
        detail: { origin, from_timeline: before.timeline, timeline },
      });
      return { installation: before.name, timeline, documents };
    });
  }
}
