import { randomBytes } from 'node:crypto';
import {
  apiKeyId,
  hashApiKey,
  hashPassword,
  type PasswordCost,
  mintApiKey,
  type DivisionId,
  type EnvironmentId,
  type TenantId,
  type UserId,
} from '@libs/domain';
import pg from 'pg';
import { INSERT_API_KEY, NEXT_API_KEY_ID } from '../organization/people/insert-api-key.js';
import { foundTenant, type FoundedTenant, type RunStatement } from '../organization/tenant-founding.js';
import type { WritingApp } from '../ownership.js';
import { ensureAppRoles } from './app-roles.js';

export interface SeedOptions {
  /** A well-formed key to use instead of a random one, for scripts that must know it beforehand. */
  bootstrapApiKey?: string;
  /** 32 bytes from which the passwords of the app roles are derived. */
  roleKey: Buffer;
  /** The cost of the hash of the owner's password, by default that of all passwords. */
  passwordCost?: PasswordCost;
}

/** What the first boot made; on later boots the secrets are null. */
export interface Installation {
  installation: string;
  first_boot: boolean;
  tenant_id: TenantId;
  division_id: DivisionId;
  environment_id: EnvironmentId;
  api_key: string | null;
  owner_email: string;
  owner_password: string | null;
  role_urls: Record<WritingApp, string>;
}

/** The preset key is not usable; stops the boot with a message. */
export class BootstrapKeyInvalid extends Error {}

const OWNER_EMAIL = 'owner@landlord.local';
const KEY_DAYS = 365;

/**
 * On an empty database: names the installation and creates a tenant (Enterprise, invoice agreement), its verified
 * owner, the system roles, division `Default`, environment `sandbox` and a key of the owner role, in one transaction.
 * @throws BootstrapKeyInvalid
 */
export async function seedInstallation(databaseUrl: string, options: SeedOptions): Promise<Installation> {
  if (options.bootstrapApiKey !== undefined && apiKeyId(options.bootstrapApiKey) === null)
    throw new BootstrapKeyInvalid('BOOTSTRAP_API_KEY is not a well-formed key: ld_<id>_<43 characters>_<checksum>');
  const role_urls = await ensureAppRoles(databaseUrl, options.roleKey);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('begin');
    await client.query(`select pg_advisory_xact_lock(hashtextextended('landlord.seed', 0))`);
    const seeded = (await findInstallation(client)) ?? (await createInstallation(client, options));
    await client.query('commit');
    return { ...seeded, role_urls };
  } finally {
    await client.end();
  }
}

type Seeded = Omit<Installation, 'role_urls'>;

async function findInstallation(client: pg.Client): Promise<Seeded | null> {
  const { rows } = await client.query<Record<string, string>>(
    `select i.name as installation, t.id as tenant_id, u.email as owner_email, d.id as division_id, e.id as environment_id
       from installation i
       cross join lateral (select id, owner_id from tenants order by id limit 1) t
       join users u on u.id = t.owner_id
       left join lateral (select id from divisions where tenant_id = t.id order by deleted_at nulls first, id limit 1) d on true
       left join lateral (select id from environments where division_id = d.id order by deleted_at nulls first, id limit 1) e on true`,
  );
  const [row] = rows;
  if (!row) return null;
  return {
    installation: String(row['installation']),
    first_boot: false,
    tenant_id: Number(row['tenant_id']),
    division_id: Number(row['division_id']),
    environment_id: Number(row['environment_id']),
    api_key: null,
    owner_email: String(row['owner_email']),
    owner_password: null,
  };
}

async function createInstallation(client: pg.Client, options: SeedOptions): Promise<Seeded> {
  const installation = randomBytes(5).toString('hex');
  const owner_password = randomBytes(15).toString('base64url');
  await client.query('insert into installation (name) values ($1)', [installation]);
  const owner = await insert(client, 'users (email, name, password_hash, email_verified_at)', [
    OWNER_EMAIL,
    'Owner',
    await hashPassword(owner_password, options.passwordCost),
    new Date(),
  ]);
  const run: RunStatement = async ({ text }, values) =>
    (await client.query<Record<string, unknown>>(text, values)).rows;
  const founded = await foundTenant(run, {
    name: 'My organization',
    email: OWNER_EMAIL,
    ownerId: owner,
    plan: 'enterprise',
  });
  await client.query(`insert into payment_methods (tenant_id, provider) values ($1, 'manual')`, [founded.tenantId]);
  await client.query(`insert into invoice_agreements (tenant_id, granted_by) values ($1, 'installation')`, [
    founded.tenantId,
  ]);
  const api_key = await createKey(client, owner, founded, options.bootstrapApiKey);
  return {
    installation,
    first_boot: true,
    tenant_id: founded.tenantId,
    division_id: founded.divisionId,
    environment_id: founded.environmentId,
    api_key,
    owner_email: OWNER_EMAIL,
    owner_password,
  };
}

async function createKey(
  client: pg.Client,
  owner: UserId,
  { tenantId, ownerRoleId }: FoundedTenant,
  preset?: string,
): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    preset === undefined
      ? NEXT_API_KEY_ID
      : `select setval(pg_get_serial_sequence('api_keys', 'id'), ${apiKeyId(preset)}) as id`,
  );
  const id = Number(rows[0]?.id);
  const secret = preset ?? mintApiKey(id);
  await client.query(INSERT_API_KEY, [id, tenantId, 'bootstrap', hashApiKey(secret), ownerRoleId, owner, KEY_DAYS]);
  return secret;
}

async function insert(client: pg.Client, into: string, values: unknown[]): Promise<number> {
  const places = values.map((_, index) => `$${index + 1}`).join(', ');
  const { rows } = await client.query<{ id: string }>(`insert into ${into} values (${places}) returning id`, values);
  return Number(rows[0]?.id);
}
