import { Injectable } from '@nestjs/common';
import { Readiness } from '@libs/http';
import { Database, statement } from '@libs/persistence';

const PING = statement('readiness.ping', 'select 1');

/** A supervisor serves as soon as its database does; its gateway listens before the API does. */
@Injectable()
export class SupervisorReadiness extends Readiness {
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
