import { Injectable, Logger } from '@nestjs/common';
import { writeProblem } from '@libs/domain/starts';
import { Readiness, type Unready } from '@libs/http';
import { Database, SchemaCheck } from '@libs/persistence';

/** The directory in which this process writes files. */
export abstract class WrittenDirectory {
  /** Null: this process writes none. */
  abstract readonly path: string | null;
}

/** Both apps are ready when the database answers, its schema fits the release, and data can be written. */
@Injectable()
export class DatabaseReadiness extends Readiness {
  private readonly logger = new Logger('Readiness');
  private readonly schema: SchemaCheck;
  private lastProblem: string | null = null;

  constructor(
    private readonly database: Database,
    private readonly directory: WrittenDirectory,
  ) {
    super();
    this.schema = new SchemaCheck(database);
  }

  async problems(): Promise<Unready[]> {
    const away: Unready = { code: 'service_busy', says: 'the database does not answer' };
    const results = await Promise.all([this.databaseProblem().catch(() => away), this.fileProblem()]);
    const problems = results.filter((problem) => problem !== null);
    this.tell(problems.length === 0 ? null : problems.map(({ says }) => says).join('; '));
    return problems;
  }

  private async databaseProblem(): Promise<Unready | null> {
    const ofSchema = await this.schema.problem();
    if (ofSchema !== null) return { code: 'provider_unavailable', says: ofSchema };
    const ofWrites = await this.database.writeProblem();
    return ofWrites === null ? null : { code: 'storage_full', says: ofWrites };
  }

  private async fileProblem(): Promise<Unready | null> {
    const { path } = this.directory;
    const says = path === null ? null : await writeProblem(path);
    return says === null ? null : { code: 'storage_full', says };
  }

  /** Probes come every second. Logs one line per change, not per probe. */
  private tell(problem: string | null): void {
    if (problem === this.lastProblem) return;
    this.lastProblem = problem;
    if (problem === null) this.logger.log('ready again');
    else this.logger.error({ problem }, 'not ready');
  }
}
