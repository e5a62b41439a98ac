import { Injectable, Logger } from '@nestjs/common';
import { Readiness } from '@libs/http';
import { Database, SchemaCheck } from '@libs/persistence';

/** Both apps are ready when the database answers and its schema fits the release. */
@Injectable()
export class DatabaseReadiness extends Readiness {
  private readonly logger = new Logger('Readiness');
  private readonly schema: SchemaCheck;
  private lastProblem: string | null = null;

  constructor(database: Database) {
    super();
    this.schema = new SchemaCheck(database);
  }

  async problems(): Promise<string[]> {
    const problem = await this.schema.problem().catch(() => 'the database does not answer');
    this.tell(problem);
    return problem === null ? [] : [problem];
  }

  /** Probes come every second. Logs one line per change, not per probe. */
  private tell(problem: string | null): void {
    if (problem === this.lastProblem) return;
    this.lastProblem = problem;
    if (problem === null) this.logger.log('ready again');
    else this.logger.error({ problem }, 'not ready');
  }
}
