import {
  csrfOf,
  hashApiKey,
  hashSession,
  mintApiKey,
  mintSession,
  SYSTEM_ROLE_TREES,
  type PermissionTree,
} from '@libs/domain';
import type { TestCloud } from './test-cloud.js';

export interface KeyWish {
  tenantId?: number;
  permissions?: Partial<PermissionTree>;
  divisionId?: number;
  expired?: boolean;
  allowedIps?: string[];
}

export interface UserWish {
  email: string;
  name?: string;
  /** Whether the address is proved; it is, unless told. */
  verified?: boolean;
}

/** What a browser of somebody who is signed in sends. */
export interface GivenSession {
  id: number;
  /** Headers of a read. */
  cookie: { cookie: string };
  /** Headers of a write. */
  headers: { cookie: string; 'x-csrf-token': string };
}

/** Rows that a test needs and no route of this release makes yet. */
export const given = {
  /** A key with just these permissions; by default of the first tenant and with everything. */
  async key(cloud: TestCloud, wish: KeyWish = {}): Promise<string> {
    const tenant = wish.tenantId ?? cloud.installation.tenant_id;
    const tree = wish.permissions ? { ...EMPTY, ...wish.permissions } : SYSTEM_ROLE_TREES.owner;
    const [role] = await cloud.rows<{ id: string }>(
      `insert into roles (tenant_id, name, kind, permissions) values ($1, 'test', 'api_key', $2) returning id`,
      [tenant, JSON.stringify(tree)],
    );
    const [next] = await cloud.rows<{ id: string }>(`select nextval(pg_get_serial_sequence('api_keys', 'id')) as id`);
    const secret = mintApiKey(Number(next?.id));
    await cloud.rows(
      `insert into api_keys (id, tenant_id, name, secret_hash, role_id, division_id, user_id, validate_ip, allowed_ips, expiry_at)
       overriding system value
       select $1, $2, 'test', $3, $4, $5, owner_id, $6, $7, now() + make_interval(days => $8) from tenants where id = $2`,
      [
        Number(next?.id),
        tenant,
        hashApiKey(secret),
        role?.id,
        wish.divisionId ?? null,
        wish.allowedIps !== undefined,
        wish.allowedIps ?? [],
        wish.expired ? -1 : 30,
      ],
    );
    return secret;
  },

  /** Another member of the first tenant, without any role. */
  async member(cloud: TestCloud, name: string): Promise<{ id: number }> {
    const [user] = await cloud.rows<{ id: string }>(
      `with person as (
         insert into users (email, name, password_hash, email_verified_at) values ($1, $2, 'none', now()) returning id
       )
       insert into members (tenant_id, user_id) select $3, id from person returning user_id as id`,
      [`${name}-${Math.random()}@example.test`, name, cloud.installation.tenant_id],
    );
    return { id: Number(user?.id) };
  },

  /** Somebody without any organization, whose password nobody knows. */
  async user(cloud: TestCloud, { email, name = 'Somebody', verified = true }: UserWish): Promise<{ id: number }> {
    const [user] = await cloud.rows<{ id: string }>(
      `insert into users (email, name, password_hash, email_verified_at) values ($1, $2, 'none', $3) returning id`,
      [email, name, verified ? new Date() : null],
    );
    return { id: Number(user?.id) };
  },

  /** The user, signed in. */
  async session(cloud: TestCloud, userId: number): Promise<GivenSession> {
    const [next] = await cloud.rows<{ id: string }>(`select nextval(pg_get_serial_sequence('sessions', 'id')) as id`);
    const id = Number(next?.id);
    const token = mintSession(id);
    await cloud.rows(
      `insert into sessions (id, user_id, token_hash, address, expires_at) overriding system value
       values ($1, $2, $3, '127.0.0.1', now() + interval '1 hour')`,
      [id, userId, hashSession(token)],
    );
    const cookie = `ld_session=${token}`;
    return { id, cookie: { cookie }, headers: { cookie, 'x-csrf-token': csrfOf(token) } };
  },

  /** Another organization with a division and an environment of its own. */
  async tenant(
    cloud: TestCloud,
    plan = 'enterprise',
  ): Promise<{ tenantId: number; divisionId: number; environmentId: number }> {
    const email = `owner-${Date.now()}-${Math.random()}@example.test`;
    const [user] = await cloud.rows<{ id: string }>(
      `insert into users (email, name, password_hash) values ($1, 'Other', 'none') returning id`,
      [email],
    );
    const [tenant] = await cloud.rows<{ id: string }>(
      `insert into tenants (name, owner_id, plan) values ('Other', $1, $2) returning id`,
      [user?.id, plan],
    );
    await cloud.rows(`insert into members (tenant_id, user_id) values ($1, $2)`, [tenant?.id, user?.id]);
    const [division] = await cloud.rows<{ id: string }>(
      `insert into divisions (tenant_id, name) values ($1, 'Default') returning id`,
      [tenant?.id],
    );
    const [environment] = await cloud.rows<{ id: string }>(
      `insert into environments (tenant_id, division_id, name) values ($1, $2, 'sandbox') returning id`,
      [tenant?.id, division?.id],
    );
    return { tenantId: Number(tenant?.id), divisionId: Number(division?.id), environmentId: Number(environment?.id) };
  },
};

const EMPTY: PermissionTree = { tenant: [], division: [], environment: [], divisions: {} };
