// One of the two releases that take turns: its own PostgreSQL, its own main API and its own engine, all from the build of the
// folder `process.argv[2]`. Uses only what both releases have. A message {measure, count} is answered with the CPU
// microseconds of each request, creation or step.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { freePort } from '../free-port.mjs';
import { cpuMicroseconds } from '../measure.mjs';
import { openEngine } from './engine.mjs';

const CONNECTIONS = 20;
const root = process.argv[2];
const dataDir = mkdtempSync(join(tmpdir(), 'landlord-against-'));
const load = (path) => import(pathToFileURL(join(root, 'dist', path)).href);

const { ensureDatabase, stopDatabase } = await load('libs/launcher/src/index.js');
const { migrate, seedInstallation } = await load('libs/persistence/src/migrations/index.js');
const { migrateQueue } = await load('libs/queue/src/index.js');

// An error here, or the end of the parent, must not leave a PostgreSQL and a main API behind.
process.on('uncaughtException', (error) => {
  console.error(error);
  void close(1);
});
process.once('disconnect', () => void close(1));

const { url: databaseUrl } = await ensureDatabase({ dataDir });
await migrate(databaseUrl, migrateQueue);
const installation = await seedInstallation(databaseUrl, { roleKey: randomBytes(32) });
const secretKeys = `k1:${randomBytes(32).toString('base64')}`;
const engine = await openEngine(load, { databaseUrl, secretKeys });
await engine.prepare();
const api = await startApi();
const paths = pathsOf(installation);
let serial = 0;

const measures = {
  read: (count) => many(count, () => request(paths.deployment, 200)),
  create: (count) => many(count, () => request(paths.managed, 202, bodyOf((serial += 1)))),
};

process.on('message', async ({ measure, count, end }) => {
  if (end) return close(0);
  if (measure === 'step') return process.send({ micros: await engine.steps(count) });
  const before = cpuMicroseconds(api.child.pid);
  await measures[measure](count);
  process.send({ micros: (cpuMicroseconds(api.child.pid) - before) / count });
});
await request(paths.managed, 202, bodyOf((serial += 1)));
process.send({ ready: true });

async function startApi() {
  const port = await freePort();
  const out = openSync(join(dataDir, 'api.log'), 'w');
  const child = spawn(process.execPath, [join(root, 'dist/apps/main-api/src/main.js')], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      DATABASE_URL: installation.role_urls.main_api,
      MAIN_API_PORT: String(port),
      LANDLORD_SECRET_KEYS: secretKeys,
      LANDLORD_DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      QUEUE_URL: 'off',
      RATE_LIMIT: '1000000',
    },
    stdio: ['ignore', out, out],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  const origin = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 600; tries += 1) {
    if (child.exitCode !== null) throw new Error(readFileSync(join(dataDir, 'api.log'), 'utf8').slice(-2000));
    if (await fetch(`${origin}/health/ready`).catch(() => null)) return { child, origin };
    await new Promise((later) => setTimeout(later, 50));
  }
  throw new Error('the main API does not answer');
}

async function many(count, one) {
  let left = count;
  const loop = async () => {
    while (left-- > 0) await one();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, loop));
}

async function request(path, expected, body) {
  const headers = { 'ld-api-key': installation.api_key, ...(body && { 'content-type': 'application/json' }) };
  const answer = await fetch(`${api.origin}${path}`, { method: body ? 'POST' : 'GET', headers, body });
  const text = await answer.text();
  if (answer.status !== expected) throw new Error(`${path} answers ${answer.status}: ${text}`);
}

function pathsOf({ tenant_id, division_id, environment_id }) {
  const deployments = `/tenants/${tenant_id}/divisions/${division_id}/environments/${environment_id}/deployments`;
  return { deployment: `${deployments}/1`, managed: `${deployments}/managed` };
}

function bodyOf(number) {
  return JSON.stringify({
    ...{ name: `against-${number}`, cloud: 'aws', region: 'us-east-1', tier: 'small' },
    ...{ cluster: 'cluster', managed_tier: 'standard' },
  });
}

async function close(code) {
  await stopDatabase({ dataDir });
  rmSync(dataDir, { recursive: true, force: true });
  process.exit(code);
}
