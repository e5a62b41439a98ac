import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../sources/sources.js';

const UNAVAILABLE = 3;

/** The Debian tools as far as the script uses them. `calls` lists the downloads of apt-get. */
const TOOLS = {
  'apt-get': `[ "$1" = --version ] && exit 0
echo "$2" >> "$HERE/calls"
case $2 in server|libfoo2) echo "$2" > "$2_1.0_all.deb" ;; *) echo "E: Unable to locate package $2" >&2; exit 100 ;; esac`,
  'apt-cache': `[ "$1" = --version ] && exit 0
[ "$3" = libfoo2 ]`,
  dpkg: `[ "$1" = --version ] && exit 0
if [ "$(cat "$2")" = server ]; then mkdir -p "$3/usr/sbin" && echo binary > "$3/usr/sbin/server"
else mkdir -p "$3/usr/lib" && echo library > "$3/usr/lib/libfoo.so.2"; fi`,
  'dpkg-deb': `[ "$1" = --version ] && exit 0
echo 1.0`,
  ldd: `case $LD_LIBRARY_PATH in */usr/lib) echo "libfoo.so.2 => here" ;; *) echo "  libfoo.so.2 => not found" ;; esac`,
};

describe('scripts/debian-package.mjs', () => {
  let here: string;
  beforeEach(() => {
    here = mkdtempSync(join(tmpdir(), 'landlord-debian-'));
    mkdirSync(join(here, 'bin'));
    for (const [name, script] of Object.entries(TOOLS)) {
      writeFileSync(join(here, 'bin', name), `#!/bin/sh\n${script}\n`);
      chmodSync(join(here, 'bin', name), 0o755);
    }
  });
  afterEach(() => rmSync(here, { recursive: true, force: true }));

  function fetch(name: string, path = `${join(here, 'bin')}:/usr/bin:/bin`) {
    const env = { PATH: path, HERE: here, LANDLORD_DATA_DIR: here };
    return spawnSync(process.execPath, ['scripts/debian-package.mjs', name], { cwd: ROOT, env, encoding: 'utf8' });
  }

  const fetched = (): string[] => readFileSync(join(here, 'calls'), 'utf8').trim().split('\n');

  it('puts a package into the data directory with its missing libraries, and prints the folders', () => {
    const { status, stdout } = fetch('server');

    expect(status).toBe(0);
    expect(stdout).toContain(`server 1.0 is now in ${here}/packages/server`);
    expect(stdout).toContain(`${here}/packages/server/usr/sbin/server`);
    expect(stdout).toContain(`LD_LIBRARY_PATH=${here}/packages/server/usr/lib`);
    expect(fetched()).toEqual(['server', 'libfoo2']);
  });

  it('does nothing if the package exists', () => {
    fetch('server');

    const { status, stdout } = fetch('server');

    expect(status).toBe(0);
    expect(stdout).toContain('lies already');
    expect(fetched()).toEqual(['server', 'libfoo2']);
  });

  it('exits with code 3 and the reason if the package does not exist, and leaves nothing', () => {
    const { status, stderr } = fetch('no-such-thing');

    expect(status).toBe(UNAVAILABLE);
    expect(stderr).toContain('no-such-thing cannot be downloaded: E: Unable to locate package no-such-thing');
    expect(readdirSync(join(here, 'packages'))).toEqual([]);
  });

  it('exits with code 3 on a machine that is not Debian', () => {
    const { status, stderr } = fetch('server', join(here, 'nothing'));

    expect(status).toBe(UNAVAILABLE);
    expect(stderr).toContain('it is not Debian');
    expect(existsSync(join(here, 'packages'))).toBe(false);
  });
});
