import { DoublesRepository, type Doubles } from '@libs/persistence/operator';
import type { OperatorSession } from '../operator-session.js';

/** What an earlier release stored twice in different spellings. */
export class DoublesCommands {
  private readonly rows: DoublesRepository;

  constructor(session: OperatorSession) {
    this.rows = new DoublesRepository(session.database);
  }

  list(): Promise<Doubles[]> {
    return this.rows.list();
  }
}
