// A separate PostgreSQL for the bench, migrated and seeded, and the compiled apps.
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { ensureDatabase, stopDatabase } from '../../dist/libs/launcher/src/index.js';
import { migrate, seedInstallation } from '../../dist/libs/persistence/src/migrations/index.js';
import { migrateQueue } from '../../dist/libs/queue/src/index.js';
import { COUNTED, countStatements } from './statements.mjs';

/** Whether a process can be limited to one core. Without this the results are less reliable. */
export const HAS_TASKSET = spawnSync('taskset', ['-V']).status === 0;

/** Limits a command to one core; returns it unchanged without taskset or without a core. */
export const onCore = (core, command) =>
  core === undefined || !HAS_TASKSET ? command : ['taskset', '-c', String(core), ...command];

export async function openWorld() {
  const dataDir = mkdtempSync(join(tmpdir(), 'landlord-bench-'));
  const { url } = await ensureDatabase({ dataDir, settings: COUNTED });
  await migrate(url, migrateQueue);
  const installation = await seedInstallation(url, { roleKey: randomBytes(32) });
  const sql = new pg.Pool({ connectionString: url, max: 4 });
  sql.on('error', () => undefined);
  await countStatements(sql);
  const children = [];
  const secretKeys = `k1:${randomBytes(32).toString('base64')}`;
  return {
    url,
    dataDir,
    installation,
    sql,
    secretKeys,
    /** Starts a server and waits for its first answer. `probe`: a URL, or a call that resolves when the server answers. */
    async serve(entry, env, probe, { core } = {}) {
      const log = join(dataDir, `${children.length}.log`);
      const out = openSync(log, 'w');
      const [command, ...args] = onCore(core, [process.execPath, resolve(entry)]);
      const child = spawn(command, args, {
        env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env },
        stdio: ['ignore', out, out],
      });
      children.push(child);
      for (let tries = 0; tries < 300; tries += 1) {
        if (child.exitCode !== null) throw new Error(`${entry} ended:\n${readFileSync(log, 'utf8').slice(-2000)}`);
        const answered = await (typeof probe === 'string' ? fetch(probe) : probe()).then(
          () => true,
          () => false,
        );
        if (answered) return child;
        await new Promise((later) => setTimeout(later, 50));
      }
      throw new Error(`${entry} does not answer`);
    },
    async close() {
      for (const child of children) child.kill('SIGKILL');
      await sql.end();
      await stopDatabase({ dataDir });
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
