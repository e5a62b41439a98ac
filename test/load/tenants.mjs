// Tenants with a key each, and deployments that the API creates.
import { hashApiKey, mintApiKey } from '../../dist/libs/domain/src/index.js';
import { foundTenant } from '../../dist/libs/persistence/src/organization/index.js';

const PLAN_WITHOUT_LIMITS = { limits: { concurrent_deployments_limit: 1e9 }, deployment_tiers: { free: 1e9 } };
const KEY = `insert into api_keys (id, tenant_id, name, secret_hash, role_id, user_id, validate_ip, allowed_ips, expiry_at)
  overriding system value values ($1, $2, 'load', $3, $4, $5, false, '{}', now() + interval '1 day')`;

/** Inserts tenants; each has its ids, its API key and no deployment. */
export async function insertTenants(sql, count) {
  const tenants = [];
  for (let n = 1; n <= count; n += 1) tenants.push(await insertTenant(sql, n));
  await sql.query('update tenants set plan_overrides = $1', [JSON.stringify(PLAN_WITHOUT_LIMITS)]);
  return tenants;
}

async function insertTenant(sql, n) {
  const email = `owner-${n}@example.test`;
  const owner = await idOf(
    sql,
    `insert into users (email, name, password_hash, email_verified_at) values ($1, 'Owner', 'none', now()) returning id`,
    [email],
  );
  const run = async ({ text }, values) => (await sql.query(text, values)).rows;
  const request = { name: `Tenant ${n}`, email, ownerId: owner, plan: 'enterprise' };
  const { tenantId, divisionId, environmentId, ownerRoleId } = await foundTenant(run, request);
  const keyId = await idOf(sql, `select nextval(pg_get_serial_sequence('api_keys', 'id')) as id`, []);
  const key = mintApiKey(keyId);
  await sql.query(KEY, [keyId, tenantId, hashApiKey(key), ownerRoleId, owner]);
  const division = `/tenants/${tenantId}/divisions/${divisionId}`;
  const deployments = `${division}/environments/${environmentId}/deployments`;
  return { tenantId, divisionId, environmentId, key, division, deployments };
}

async function idOf(sql, text, values) {
  const { rows } = await sql.query(text, values);
  return Number(rows[0].id);
}
