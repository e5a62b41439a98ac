import { Injectable } from '@nestjs/common';
import { IdempotencyStore, type Claim, type StoredAnswer } from '@libs/http';
import { Database, Secrets } from '@libs/persistence';
import { IdempotencyRepository } from '@libs/persistence/platform';

/**
 * First answers in PostgreSQL. An advisory lock of the transaction tells a request that still runs from one that has
 * ended: of many parallel repeats one gets the lock, and whoever comes after its commit finds the answer.
 */
@Injectable()
export class AccessIdempotencyStore extends IdempotencyStore {
  private readonly records: IdempotencyRepository;

  constructor(database: Database, secrets: Secrets) {
    super();
    this.records = new IdempotencyRepository(database, secrets);
  }

  async claim(caller: string, key: string, requestHash: Buffer): Promise<Claim> {
    if (!(await this.records.lock(caller, key))) return { state: 'in_progress' };
    const kept = await this.records.find(caller, key);
    if (!kept) return { state: 'first' };
    if (!kept.requestHash.equals(requestHash)) return { state: 'mismatch' };
    return { state: 'answered', answer: JSON.parse(kept.answer) as StoredAnswer };
  }

  async keep(caller: string, key: string, requestHash: Buffer, answer: StoredAnswer): Promise<void> {
    await this.records.store(caller, key, requestHash, JSON.stringify(answer));
  }
}
