import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { locateBinaries, makeLibraryLinks } from './binaries.js';
import { chooseRunAs, POSTGRES_ENVIRONMENT, type RunAsName } from './run-as.js';
import { isWayPossible } from '../../test/ways-to-run.js';

const asRoot = process.getuid?.() === 0 ? it : it.skip;

describe('a checkout that only its owner can enter', () => {
  let parent: string;
  let open: string;

  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'landlord-checkout-'));
    open = mkdtempSync(join(tmpdir(), 'landlord-open-'));
    chmodSync(open, 0o755);
    const original = dirname(dirname(dirname(locateBinaries().postgres)));
    cpSync(original, join(parent, 'package'), { recursive: true, verbatimSymlinks: true });
    mkdirSync(join(parent, 'data'), { mode: 0o700 });
  });
  afterEach(() => [parent, open].forEach((path) => rmSync(path, { recursive: true, force: true })));

  const binaries = () => ({
    postgres: join(parent, 'package/native/bin/postgres'),
    initdb: join(parent, 'package/native/bin/initdb'),
  });

  it.each(['user_namespace', 'nobody_with_access'] as const)('works for %s', (name) => {
    if (!isWayPossible(name)) return;

    const way = chooseRunAs({ binaries: binaries(), dataDir: join(parent, 'data'), among: [name] });

    expect(way.name).toBe(name);
    expect(way.binaries).toEqual(binaries());
  });

  asRoot('is no obstacle either when it belongs to somebody else', () => {
    for (const path of [parent, join(parent, 'data')]) spawnSync('chown', ['1234', path]);
    const possible: RunAsName[] = (['user_namespace', 'nobody_with_access'] as const).filter(isWayPossible);
    if (!possible.includes('nobody_with_access')) return;

    const way = chooseRunAs({ binaries: binaries(), dataDir: join(parent, 'data'), among: possible });

    expect(way.name).toBe('nobody_with_access');
  });

  asRoot('makes plain nobody work on a copy of the binaries', () => {
    const way = chooseRunAs({ binaries: binaries(), dataDir: open, copyTo: join(open, 'copy'), among: ['nobody'] });

    expect(way.binaries.postgres).toMatch(new RegExp(`^${join(open, 'copy')}/postgresql-`));
    const { file, args, ...ids } = way.command(way.binaries.postgres, ['--version']);
    expect(spawnSync(file, args, { ...ids, env: POSTGRES_ENVIRONMENT }).stdout.toString()).toMatch(
      /^postgres \(Postgre/,
    );
  });

  it('is repaired when npm ran no install scripts', () => {
    const lib = join(parent, 'package/native/lib');
    readdirSync(lib, { withFileTypes: true })
      .filter((entry) => entry.isSymbolicLink())
      .forEach((entry) => unlinkSync(join(lib, entry.name)));
    const version = () => spawnSync(binaries().postgres, ['--version'], { env: POSTGRES_ENVIRONMENT }).status;
    const before = version();

    makeLibraryLinks(join(parent, 'package'));

    expect([before, version()]).toEqual([127, 0]);
  });
});
