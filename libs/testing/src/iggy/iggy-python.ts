import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { promisify } from 'node:util';

const PACKAGE = 'apache-iggy==0.8.0';
const FOLDER = '.landlord/packages/python-apache-iggy-0.8.0';
const INSTALL_MS = 120_000;
const run = promisify(execFile);

/** A Python with the SDK of Apache Iggy 0.8, in a folder of this checkout. Null where there is no Python or no package index. */
export async function pythonWithIggy(): Promise<string | null> {
  const folder = resolve(FOLDER);
  const python = resolve(folder, 'bin/python');
  if (existsSync(python)) return python;
  const work = `${folder}.${process.pid}`;
  try {
    await mkdir(dirname(folder), { recursive: true });
    await run('python3', ['-m', 'venv', work], { timeout: INSTALL_MS });
    await run(resolve(work, 'bin/python'), ['-m', 'pip', 'install', '--quiet', PACKAGE], { timeout: INSTALL_MS });
    await rename(work, folder);
    return python;
  } catch {
    return null;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
