import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { promisify } from 'node:util';

const INSTALL_MS = 240_000;
const run = promisify(execFile);

/** A Python that has the package, or why there is none. */
export type PythonWith = { python: string; missing: null } | { python: null; missing: string };

/**
 * Installs a package of Python into a virtual environment, unless this was done. The folder appears whole, also when several test
 * workers install at once. Programs of the package start by `python -m`, because their files name the first place of the folder.
 */
export async function pythonWith(folder: string, requirement: string): Promise<PythonWith> {
  const python = resolve(folder, 'bin/python');
  const result = { python, missing: null };
  if (existsSync(python)) return result;
  const work = `${resolve(folder)}.${process.pid}`;
  try {
    await mkdir(dirname(work), { recursive: true });
    await run('python3', ['-m', 'venv', work], { timeout: INSTALL_MS });
    const args = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', requirement];
    await run(resolve(work, 'bin/python'), args, { timeout: INSTALL_MS });
    await rename(work, resolve(folder));
    return result;
  } catch (error) {
    // Another worker was faster.
    if (existsSync(python)) return result;
    const reason = String((error as { stderr?: string }).stderr || error).slice(0, 300);
    return { python: null, missing: `${requirement} cannot be installed: ${reason}` };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
