import { Injectable } from '@nestjs/common';
import type { ApiKeyId, DivisionId, TenantId } from '@libs/domain';
import { statement, Database } from '../../database.js';
import type { ApiKey } from '../entities/api-key.entity.js';

/** An API key that expires soon. */
export interface ExpiringKey extends Pick<ApiKey, 'id' | 'name'> {
  tenantId: TenantId;
  expiryAt: Date;
  division: { id: DivisionId; name: string } | null;
  /** The cursor for the keys after this one. */
  cursor: KeyCursor;
}

/** A position in the order of expiry. The instant is PostgreSQL's text, because a Date would round it. */
export interface KeyCursor {
  expiryAt: string;
  id: ApiKeyId;
}

// Covers the whole installation. There is no acting caller. Deleted keys have no row.
const FIND = statement(
  'api_key.find_expiring',
  `select k.id, k.tenant_id as "tenantId", k.name, k.expiry_at as "expiryAt",
          case when d.id is not null then jsonb_build_object('id', d.id, 'name', d.name) end as division,
          jsonb_build_object('expiryAt', k.expiry_at::text, 'id', k.id) as cursor
     from api_keys k left join divisions d on d.id = k.division_id
    where k.expiry_at > now() and k.expiry_at <= now() + make_interval(days => $1)
      and (k.expiry_at, k.id) > (coalesce($2::timestamptz, '-infinity'), coalesce($3::bigint, 0))
    order by k.expiry_at, k.id limit $4`,
);

/** API keys of all tenants that expire soon. */
@Injectable()
export class ExpiringKeysRepository {
  constructor(private readonly database: Database) {}

  /** The next keys after `after` that expire within `days` days, soonest first. */
  async findUnscoped(days: number, after: KeyCursor | null, limit: number): Promise<ExpiringKey[]> {
    const values = [days, after?.expiryAt ?? null, after?.id ?? null, limit];
    return this.database.query<ExpiringKey>(FIND, values);
  }
}
