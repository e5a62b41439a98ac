import { setTimeout as delay } from 'node:timers/promises';
import { outageOf } from '@libs/domain';
import { databasePause } from '@libs/domain/processes';
import { Logger } from '@nestjs/common';
import { databaseRefusal } from './connect-at-start.js';

/**
 * Repeats `work` with growing pauses while the database is away. The checks of the start have passed, so PostgreSQL went away just
 * then, or has no free connection. @throws StartRefused for a cause that only a person can change
 */
export async function untilDatabaseAnswers<T>(databaseUrl: string, work: () => Promise<T>): Promise<T> {
  const logger = new Logger('Database');
  const pause = databasePause();
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (outageOf(error) === null) throw databaseRefusal(databaseUrl, error) ?? error;
      logger.warn({ err: error }, 'the database cannot be used, will be tried again');
    }
    await delay(pause.next());
  }
}
