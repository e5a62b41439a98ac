// What an operator does with the whole database: an upgrade, a backup, and a restore into another data directory.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MachineTrials1763683200115 as LastMigration } from '../../../dist/libs/persistence/src/migrations/1763683200115-machine-trials.js';

const LAUNCHER = 'dist/libs/launcher/src/main.js';
/** A backup and its restore need the disk space of two more copies. */
const MOST_COPIED_BYTES = 6e9;

/** Changes of a migration, by what they do with the rows that exist. */
const CHANGES = {
  'a column with a default': 'alter table operations add column growth int not null default 0',
  'a check of all operations': 'alter table operations add constraint growth check (attempt >= 0)',
  'a new value in every deployment': 'update deployments set updated_at = updated_at',
  'an index of all operations': 'create index growth on operations (type, status)',
};

/** Seconds of each task, by its name. */
export async function measureUpkeep(world, client, bytes) {
  const seconds = { 'landlord migrate, nothing to do': await launcher(world, world.dataDir, ['migrate']) };
  seconds['the last migration: two indexes of all deployments'] = await inRollback(client, async () => {
    const migration = new LastMigration();
    await migration.down(client);
    return timed(() => migration.up(client));
  });
  for (const [what, text] of Object.entries(CHANGES))
    seconds[`migration: ${what}`] = await inRollback(client, () => timed(() => client.query(text)));
  if (bytes <= MOST_COPIED_BYTES) Object.assign(seconds, await measureCopies(world));
  return seconds;
}

async function measureCopies(world) {
  const folder = mkdtempSync(join(tmpdir(), 'landlord-growth-'));
  const backup = join(folder, 'backup');
  try {
    return {
      'landlord backup': await launcher(world, world.dataDir, ['backup', backup]),
      'landlord restore': await launcher(world, join(folder, 'restored'), ['restore', backup]),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function inRollback(client, work) {
  await client.query('begin');
  try {
    return await work();
  } finally {
    await client.query('rollback');
  }
}

async function timed(work) {
  const begun = performance.now();
  await work();
  return (performance.now() - begun) / 1000;
}

const launcher = (world, dataDir, args) =>
  timed(
    () =>
      new Promise((resolve, reject) => {
        const env = { PATH: process.env.PATH, LANDLORD_DATA_DIR: dataDir, LANDLORD_SECRET_KEYS: world.secretKeys };
        const child = spawn(process.execPath, [LAUNCHER, ...args], { env, stdio: ['ignore', 'ignore', 'pipe'] });
        let said = '';
        child.stderr.on('data', (chunk) => (said += chunk));
        child.once('exit', (code) =>
          code === 0 ? resolve() : reject(new Error(`landlord ${args[0]} ended with ${code}: ${said}`)),
        );
      }),
  );
