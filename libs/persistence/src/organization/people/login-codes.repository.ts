import { Injectable } from '@nestjs/common';
import type { ApiKeyId, DivisionId, RoleId, TenantId } from '@libs/domain';
import { statement, Database } from '../../database.js';
import type { LoginCode } from '../entities/login-code.entity.js';

/** A new code. Only its hash is stored. */
export interface NewLoginCode extends Pick<LoginCode, 'api_key_id' | 'code_hash' | 'code_challenge' | 'redirect_uri'> {
  validSeconds: number;
}

/** What the holder of a code sends. */
export type RedeemedCode = Pick<LoginCode, 'code_hash' | 'code_challenge' | 'redirect_uri'>;

/** A key whose code nobody used in time. */
export interface AbandonedKey {
  id: ApiKeyId;
  tenant_id: TenantId;
  name: string;
  role_id: RoleId;
  division_id: DivisionId | null;
  division_name: string | null;
}

const INSERT = statement(
  'login_code.insert',
  `insert into login_codes (api_key_id, code_hash, code_challenge, redirect_uri, expires_at)
   values ($1, $2, $3, $4, now() + make_interval(secs => $5)) returning expires_at`,
);
// Every statement locks the key before the code, as a deletion of the key does. The other order leads to deadlocks.
// If two requests show the same code, only one deletes the row. The other waits for the key and then finds no row.
const USE = statement(
  'login_code.use',
  `with held as (
     select k.id, k.tenant_id from login_codes c join api_keys k on k.id = c.api_key_id
      where c.code_hash = $1 and c.code_challenge = $2 and c.redirect_uri = $3 and c.expires_at > now() for update of k)
   delete from login_codes c using held where c.api_key_id = held.id and c.code_hash = $1
   returning held.id, held.tenant_id`,
);
const FORGET = statement(
  'login_code.forget',
  `with expired as (
     delete from login_codes where api_key_id in (
       select k.id from login_codes c join api_keys k on k.id = c.api_key_id
        where c.expires_at < now() order by c.expires_at limit $1 for update of k skip locked)
     returning api_key_id)
   , abandoned as (
     delete from api_keys k using expired e where k.id = e.api_key_id
     returning k.id, k.tenant_id, k.name, k.role_id, k.division_id)
   select a.id, a.tenant_id, a.name, a.role_id, a.division_id, d.name as division_name
     from abandoned a left join divisions d on d.id = a.division_id`,
);
// Each of these roles was created for one of the keys.
const DELETE_ROLES = statement(
  'login_code.delete_roles',
  `delete from roles r using unnest($1::bigint[], $2::bigint[]) as held (id, tenant_id)
    where r.id = held.id and r.tenant_id = held.tenant_id and r.kind = 'api_key'`,
);

/** One-time codes that hand a new key to a command line. */
@Injectable()
export class LoginCodesRepository {
  constructor(private readonly database: Database) {}

  /** Returns the time at which the code expires. */
  async insert(code: NewLoginCode): Promise<Date> {
    const { api_key_id, code_hash, code_challenge, redirect_uri, validSeconds } = code;
    const values = [api_key_id, code_hash, code_challenge, redirect_uri, validSeconds];
    const [row] = await this.database.query<{ expires_at: Date }>(INSERT, values);
    return (row as { expires_at: Date }).expires_at;
  }

  /**
   * Uses the code up. Returns its key, or null when the code, the challenge or the address is wrong, or the code has
   * expired. The tenant is unknown before: only the code tells it.
   */
  async useUnscoped(code: RedeemedCode): Promise<Pick<AbandonedKey, 'id' | 'tenant_id'> | null> {
    const values = [code.code_hash, code.code_challenge, code.redirect_uri];
    return this.database.first<Pick<AbandonedKey, 'id' | 'tenant_id'>>(USE, values);
  }

  /** Deletes at most `limit` keys whose codes have expired, with the codes and the roles of the keys. Returns the keys. */
  async forgetUnscoped(limit: number): Promise<AbandonedKey[]> {
    const keys = await this.database.query<AbandonedKey>(FORGET, [limit]);
    if (keys.length > 0)
      await this.database.execute(DELETE_ROLES, [
        keys.map(({ role_id }) => role_id),
        keys.map(({ tenant_id }) => tenant_id),
      ]);
    return keys;
  }
}
