import { Injectable } from '@nestjs/common';
import { Readiness } from '@libs/http';
import { Database, statement } from '@libs/persistence';

const PING = statement('readiness.ping', 'select 1');

/** Both apps serve as soon as their database does. */
@Injectable()
export class DatabaseReadiness extends Readiness {
  constructor(private readonly database: Database) {
    super();
  }

  async problems(): Promise<string[]> {
    try {
      await this.database.query(PING);
      return [];
    } catch {
      return ['the database does not answer'];
    }
  }
}
