import {
  csrfOf,
  hashApiKey,
  hashSession,
  mintApiKey,
  mintSession,
  SYSTEM_ROLE_TREES,
  type PermissionTree,
  type Plan,
} from '@libs/domain';
import { foundTenant } from '@libs/persistence/organization';
import { Person, type GivenSession } from './person.js';
import type { CloudAccess, MainApiAccess } from './cloud-access.js';
import type { TestCloud } from './test-cloud.js';

export interface KeyOptions {
  tenantId?: number;
  permissions?: Partial<PermissionTree>;
  divisionId?: number;
  expired?: boolean;
  allowedIps?: string[];
  /** The user of the key. Default: the owner. */
  userId?: number;
}

export interface UserOptions {
  email: string;
  name?: string;
  /** Whether the address is verified. Default: yes. */
  verified?: boolean;
}

/** The membership of a user. Default: of the first tenant and all divisions. */
export interface MembershipOptions {
  tenantId?: number;
  /** Names of roles. */
  roles?: string[];
  divisionId?: number;
}

/** Rows that a test needs and that no API route creates. */
export const given = {
  /** A key with exactly these permissions. Default: of the first tenant with all permissions. */
  async key(cloud: Pick<CloudAccess, 'rows' | 'installation'>, options: KeyOptions = {}): Promise<string> {
    const tenant = options.tenantId ?? cloud.installation.tenant_id;
    const tree = options.permissions ? { ...EMPTY, ...options.permissions } : SYSTEM_ROLE_TREES.owner;
    const [role] = await cloud.rows<{ id: string }>(
      `insert into roles (tenant_id, name, kind, permissions) values ($1, 'test', 'api_key', $2) returning id`,
      [tenant, JSON.stringify(tree)],
    );
    const [next] = await cloud.rows<{ id: string }>(`select nextval(pg_get_serial_sequence('api_keys', 'id')) as id`);
    const secret = mintApiKey(Number(next?.id));
    await cloud.rows(
      `insert into api_keys (id, tenant_id, name, secret_hash, role_id, division_id, user_id, validate_ip, allowed_ips, expiry_at)
       overriding system value
       select $1, $2, 'test', $3, $4, $5, coalesce($9, owner_id), $6, $7, now() + make_interval(days => $8) from tenants where id = $2`,
      [
        Number(next?.id),
        tenant,
        hashApiKey(secret),
        role?.id,
        options.divisionId ?? null,
        options.allowedIps !== undefined,
        options.allowedIps ?? [],
        options.expired ? -1 : 30,
        options.userId ?? null,
      ],
    );
    return secret;
  },

  /** Another member of the first tenant, without any role. */
  async member(cloud: CloudAccess, name: string): Promise<{ id: number }> {
    const [user] = await cloud.rows<{ id: string }>(
      `with person as (
         insert into users (email, name, password_hash, email_verified_at) values ($1, $2, 'none', now()) returning id
       )
       insert into members (tenant_id, user_id) select $3, id from person returning user_id as id`,
      [`${name}-${Math.random()}@example.test`, name, cloud.installation.tenant_id],
    );
    return { id: Number(user?.id) };
  },

  /** A user without an organization, with an unknown password. */
  async user(
    cloud: Pick<CloudAccess, 'rows'>,
    { email, name = 'Somebody', verified = true }: UserOptions,
  ): Promise<{ id: number }> {
    const [user] = await cloud.rows<{ id: string }>(
      `insert into users (email, name, password_hash, email_verified_at) values ($1, $2, 'none', $3) returning id`,
      [email, name, verified ? new Date() : null],
    );
    return { id: Number(user?.id) };
  },

  /** A session of the user. */
  async session(cloud: CloudAccess, userId: number): Promise<GivenSession> {
    const [next] = await cloud.rows<{ id: string }>(`select nextval(pg_get_serial_sequence('sessions', 'id')) as id`);
    const id = Number(next?.id);
    const token = mintSession(id);
    await cloud.rows(
      `insert into sessions (id, user_id, token_hash, address, expires_at) overriding system value
       values ($1, $2, $3, '127.0.0.1', now() + interval '1 hour')`,
      [id, userId, hashSession(token)],
    );
    // Sends both cookie names, because the valid one depends on whether the cloud uses HTTPS.
    const cookie = `__Host-ld_session=${token}; ld_session=${token}`;
    return { id, cookie: { cookie }, headers: { cookie, 'x-csrf-token': csrfOf(token) } };
  },

  /** A signed-in user with a verified address, and optionally a membership. */
  async person(cloud: MainApiAccess, options: UserOptions & { member?: MembershipOptions }): Promise<Person> {
    const { id } = await given.user(cloud, options);
    if (options.member) await given.membership(cloud, id, options.member);
    return new Person(cloud.mainApi.url, id, options.email, await given.session(cloud, id));
  },

  /** Makes a user a member. */
  async membership(cloud: CloudAccess, userId: number, options: MembershipOptions): Promise<void> {
    const tenant = options.tenantId ?? cloud.installation.tenant_id;
    await cloud.rows('insert into members (tenant_id, user_id, division_id) values ($1, $2, $3)', [
      tenant,
      userId,
      options.divisionId ?? null,
    ]);
    await cloud.rows(
      `insert into member_roles (tenant_id, user_id, role_id)
       select $1, $2, id from roles where tenant_id = $1 and name = any($3::text[]) and kind <> 'api_key'`,
      [tenant, userId, options.roles ?? []],
    );
  },

  /** Creates a join request of a user. Returns its id. */
  async joinRequest(cloud: CloudAccess, userId: number, tenantId = cloud.installation.tenant_id): Promise<number> {
    const [row] = await cloud.rows<{ id: string }>(
      `insert into join_requests (tenant_id, user_id, status) values ($1, $2, 'pending') returning id`,
      [tenantId, userId],
    );
    return Number(row?.id);
  },

  /** Another organization with a division and an environment. */
  async tenant(
    cloud: Pick<CloudAccess, 'rows'>,
    plan: Plan = 'enterprise',
  ): Promise<{ tenantId: number; divisionId: number; environmentId: number }> {
    const email = `owner-${Date.now()}-${Math.random()}@example.test`;
    const owner = await given.user(cloud, { email, name: 'Other' });
    return foundTenant(({ text }, values) => cloud.rows(text, values), {
      name: 'Other',
      email: '',
      ownerId: owner.id,
      plan,
    });
  },

  /** The same cloud with the key of another organization's owner. The organization pays by invoice. */
  async cloudOf(
    cloud: TestCloud,
    { tenantId, divisionId, environmentId }: { tenantId: number; divisionId: number; environmentId: number },
  ): Promise<TestCloud> {
    await given.invoiceAgreement(cloud, tenantId);
    const ids = { tenant_id: tenantId, division_id: divisionId, environment_id: environmentId };
    const installation = { ...cloud.installation, ...ids, api_key: await given.key(cloud, { tenantId }) };
    return Object.create(cloud, { installation: { value: installation } }) as TestCloud;
  },

  /** Allows an organization to pay by invoice, like an operator. Does nothing when it already pays by invoice. */
  async invoiceAgreement(cloud: Pick<CloudAccess, 'rows'>, tenantId: number): Promise<void> {
    await cloud.rows(
      `with agreed as (
         insert into invoice_agreements (tenant_id, granted_by) values ($1, 'operator') on conflict do nothing
       )
       insert into payment_methods (tenant_id, provider) values ($1, 'manual') on conflict do nothing`,
      [tenantId],
    );
  },
};

const EMPTY: PermissionTree = { tenant: [], division: [], environment: [], divisions: {} };
