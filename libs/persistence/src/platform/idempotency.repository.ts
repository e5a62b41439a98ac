import { Injectable } from '@nestjs/common';
import { statement, Database } from '../database.js';
import type { SecretLocation } from '../sealed-columns.js';
import { Secrets } from '../secrets.js';

const WINDOW_MINUTES = 10;

// The two-key form has its own lock space, separate from the migrations and other advisory locks.
const LOCK = statement(
  'idempotency.lock',
  `select pg_try_advisory_xact_lock(hashtext('landlord.idempotency'), hashtext($1 || ':' || $2)) as granted`,
);
const FIND = statement(
  'idempotency.find',
  `select request_hash, answer from idempotency_records
    where caller = $1 and key = $2 and created_at > now() - interval '${WINDOW_MINUTES} minutes'`,
);
const STORE = statement(
  'idempotency.store',
  `insert into idempotency_records (caller, key, request_hash, answer) values ($1, $2, $3, $4)
   on conflict (caller, key) do update
     set request_hash = excluded.request_hash, answer = excluded.answer, created_at = now()`,
);
const FORGET = statement(
  'idempotency.forget',
  `delete from idempotency_records where ctid = any(array(
     select ctid from idempotency_records where created_at < now() - interval '${WINDOW_MINUTES} minutes' limit 1000))`,
);

const locationOf = (caller: string, key: string): SecretLocation => ({
  table: 'idempotency_records',
  column: 'answer',
  row: `${caller}:${key}`,
});

/**
 * First answers for an idempotency key, stored for ten minutes. They are sealed, because an answer can contain a secret that is
 * shown only once.
 */
@Injectable()
export class IdempotencyRepository {
  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
  ) {}

  /** Returns false while another transaction uses the same key. The lock ends with the transaction. */
  async lock(caller: string, key: string): Promise<boolean> {
    const [row] = await this.database.query<{ granted: boolean }>(LOCK, [caller, key]);
    return row?.granted ?? false;
  }

  async find(caller: string, key: string): Promise<{ requestHash: Buffer; answer: string } | null> {
    const [row] = await this.database.query<{ request_hash: Buffer; answer: string }>(FIND, [caller, key]);
    return row
      ? { requestHash: row.request_hash, answer: this.secrets.open(locationOf(caller, key), row.answer) }
      : null;
  }

  async store(caller: string, key: string, requestHash: Buffer, answer: string): Promise<void> {
    await this.database.execute(STORE, [caller, key, requestHash, this.secrets.seal(locationOf(caller, key), answer)]);
  }

  /** Deletes up to a thousand answers that are older than ten minutes. */
  async forget(): Promise<number> {
    return this.database.execute(FORGET);
  }
}
