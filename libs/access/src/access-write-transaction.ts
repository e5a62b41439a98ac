import { Injectable } from '@nestjs/common';
import type { AuditType } from '@libs/domain';
import { WriteTransaction } from '@libs/http';
import { Database } from '@libs/persistence';

/** The transaction of a write route is a transaction of the database. */
@Injectable()
export class AccessWriteTransaction extends WriteTransaction {
  constructor(private readonly database: Database) {
    super();
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    return this.database.transaction(work);
  }

  async savepoint<T>(work: () => Promise<T>): Promise<T> {
    return this.database.savepoint(work);
  }

  audited(): readonly AuditType[] {
    return this.database.notes() as AuditType[];
  }
}
