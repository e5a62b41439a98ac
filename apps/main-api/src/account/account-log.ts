import { Injectable, Logger } from '@nestjs/common';
import type { UserId } from '@libs/domain';
import { Database } from '@libs/persistence';

/** Events of a user's account belong to no tenant's audit. Each is one log line with ids and without addresses. */
@Injectable()
export class AccountLog {
  private readonly logger = new Logger('Account');

  constructor(private readonly database: Database) {}

  /** Logs only after the commit of the transaction. `userId` is null for a person without an account. */
  tell(message: string, userId: UserId | null, { traceId }: { traceId: string }, more: object = {}): void {
    this.database.afterCommit(() => this.logger.log({ userId, traceId, ...more }, message));
  }
}
