import { Injectable } from '@nestjs/common';
import { IdempotencyStore, type Claim, type StoredAnswer } from '@libs/http';
import { IdempotencyRepository } from '@libs/persistence/platform';

/**
 * First answers in PostgreSQL. An advisory lock of the transaction distinguishes a running request from an ended one. Of many
 * concurrent repetitions one gets the lock, and later ones find the answer after its commit.
 */
@Injectable()
export class AccessIdempotencyStore extends IdempotencyStore {
  constructor(private readonly records: IdempotencyRepository) {
    super();
  }

  async claim(caller: string, key: string, requestHash: Buffer): Promise<Claim> {
    if (!(await this.records.lock(caller, key))) return { state: 'in_progress' };
    const record = await this.records.find(caller, key);
    if (!record) return { state: 'first' };
    if (!record.requestHash.equals(requestHash)) return { state: 'mismatch' };
    return { state: 'answered', answer: JSON.parse(record.answer) as StoredAnswer };
  }

  async keep(caller: string, key: string, requestHash: Buffer, answer: StoredAnswer): Promise<void> {
    await this.records.store(caller, key, requestHash, JSON.stringify(answer));
  }
}
