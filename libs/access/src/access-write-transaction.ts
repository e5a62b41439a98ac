import { Injectable } from '@nestjs/common';
import type { AuditType, TenantId } from '@libs/domain';
import { WriteTransaction } from '@libs/http';
import { Database } from '@libs/persistence';
import { TenantTurns } from './tenant-turns.js';

/** The transaction of a write route is a transaction of the database. A tenant has a few of them at once. */
@Injectable()
export class AccessWriteTransaction extends WriteTransaction {
  private readonly turns = new TenantTurns();

  constructor(private readonly database: Database) {
    super();
  }

  async run<T>(tenantId: TenantId | null, work: () => Promise<T>): Promise<T> {
    const write = (): Promise<T> => this.database.transaction(work);
    return tenantId === null ? write() : this.turns.run(tenantId, write);
  }

  async savepoint<T>(work: () => Promise<T>): Promise<T> {
    return this.database.savepoint(work);
  }

  audited(): readonly AuditType[] {
    return this.database.notes() as AuditType[];
  }
}
