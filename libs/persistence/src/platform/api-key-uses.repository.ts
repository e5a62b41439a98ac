import { Injectable } from '@nestjs/common';
import type { ApiKeyId } from '@libs/domain';
import { statement, Database } from '../database.js';

// Skips keys that were deleted. If a key is deleted between join and insert, the batch fails, and the caller sends it again
// without that key.
const NOTE = statement(
  'api_key_use.note',
  `insert into api_key_uses (api_key_id, last_used_at)
   select k.id, to_timestamp(used.at) from unnest($1::bigint[], $2::float8[]) as used (id, at) join api_keys k on k.id = used.id
    order by k.id
   on conflict (api_key_id) do update set last_used_at = excluded.last_used_at
    where api_key_uses.last_used_at < excluded.last_used_at`,
);

/** The last use of each key, rounded to the minute. */
@Injectable()
export class ApiKeyUsesRepository {
  constructor(private readonly database: Database) {}

  /** `uses`: milliseconds since 1970, by key. */
  async noteUnscoped(uses: ReadonlyMap<ApiKeyId, number>): Promise<void> {
    await this.database.execute(NOTE, [[...uses.keys()], [...uses.values()].map((ms) => ms / 1000)]);
  }
}
