import {
  DatabaseHealthRepository,
  IncidentCommandsRepository,
  RestorationRepository,
} from '@libs/persistence/operator';
import { OperatorRefused } from './operator-refused.js';
import type { OperatorSession } from './operator-session.js';

/** Kind of the incident that stays open while destruction is held. */
export const RESTORED_FROM_BACKUP = 'restored_from_backup';

export interface Restored {
  installation: string;
  timeline: number;
  documents: number;
}

/**
 * What makes a database that came out of a backup the present again, in one transaction: a new timeline, on which running
 * agents take their documents whatever they hold; no id given out twice; no destruction until an operator has looked.
 */
export class Restoration {
  constructor(private readonly session: OperatorSession) {}

  /** @throws OperatorRefused while an app is connected: it would work on with what it remembers of the time before */
  async requireQuiet(): Promise<void> {
    const apps = await new DatabaseHealthRepository(this.session.database).connectedApps();
    if (apps.length === 0) return;
    throw new OperatorRefused(`Stop every process of Landlord first; connected are: ${apps.join(', ')}`);
  }

  /** `origin` says, for people, where the data came from. @throws OperatorRefused on an empty database */
  async complete(origin: string): Promise<Restored> {
    const { database, journal } = this.session;
    const rows = new RestorationRepository(database);
    return database.transaction(async () => {
      const before = await rows.lock();
      if (!before) throw new OperatorRefused('The database holds no installation; there is nothing that was restored.');
      const timeline = await rows.raiseTimeline();
      const documents = await rows.moveDocuments(timeline);
      await rows.skipIds();
      await new IncidentCommandsRepository(database).open(
        RESTORED_FROM_BACKUP,
        before.name,
        `The database was restored from ${origin}. Nothing is destroyed until: landlord ops resume-destruction`,
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
