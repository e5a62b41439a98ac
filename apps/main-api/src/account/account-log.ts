import { Injectable, Logger } from '@nestjs/common';
import { Database } from '@libs/persistence';

/** What concerns a person stands in no tenant's audit: it is one line of the log, with ids and no address. */
@Injectable()
export class AccountLog {
  private readonly logger = new Logger('Account');

  constructor(private readonly database: Database) {}

  /** Once the transaction is committed, and not without; null for somebody without an account. */
  tell(message: string, userId: number | null, { traceId }: { traceId: string }, more: object = {}): void {
    this.database.afterCommit(() => this.logger.log({ userId, traceId, ...more }, message));
  }
}
