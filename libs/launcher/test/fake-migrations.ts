/** Replaces `@libs/persistence/migrations`, `@libs/queue` and `@libs/cloud` in a compiled launcher: one table, one installation. */
export const FAKE_MIGRATIONS = `
import pg from 'pg';

export class BootstrapKeyInvalid extends Error {}

export const checkQueue = async () => null;
export const requireBrokerPrograms = async () => ({ nats: null, iggy: null });
export const databaseRefusal = () => null;
export const migrationRefusal = () => null;
export const checkStoredSecrets = async () => [];

export async function checkDatabaseOfOwner(url) {
  const { rows } = await query(url, "select to_regclass('installation') as there");
  return { hasInstallation: rows[0].there !== null, warnings: [] };
}

export async function withDatabase(url, work) {
  return work(null);
}

export const keyIdsInUse = async () => ['k1'];

async function query(url, ...statement) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try { return await client.query(...statement); } finally { await client.end(); }
}

export const offerFirstSignIn = async () => 'first-token';
export const withdrawFirstSignIn = async () => undefined;

export async function migrateQueue(client) {
  await client.query('create schema if not exists bullmq');
}

export async function migrate(url, also) {
  await query(url, 'create table if not exists installation (name text)');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try { await also(client); } finally { await client.end(); }
}

export async function seedInstallation(url, { bootstrapApiKey, roleKey }) {
  if (roleKey.length !== 32) throw new TypeError('roleKey');
  const known = (await query(url, 'select name from installation')).rows[0]?.name;
  const name = known ?? 'i' + process.pid;
  if (!known) await query(url, 'insert into installation values ($1)', [name]);
  return {
    installation: name, first_boot: !known, tenant_id: 1, division_id: 2, environment_id: 3,
    api_key: known ? null : (bootstrapApiKey ?? 'ld_a_b_c'), owner_email: 'owner@landlord.local',
    owner_password: known ? null : 'correct horse', role_urls: { main_api: url, supervisor: url },
  };
}
`;
