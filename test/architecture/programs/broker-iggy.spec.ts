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

const SERVER = `#!/bin/sh\necho "server \${VERSION_OF_TEST:-0.8.0}"`;
const WITH_LIBRARY = `#!/bin/sh
[ -e "$LD_LIBRARY_PATH/libhwloc.so.15" ] || { echo "error while loading shared libraries: libhwloc.so.15" >&2; exit 127; }
echo server 0.8.0`;

/** docker as far as the script uses it. `calls` lists its calls, `files` are those of the images. */
const DOCKER = `[ "$1" = --version ] && exit 0
echo "$@" >> "$HERE/calls"
case $1 in
  create) [ -d "$HERE/files/\${2##*/}" ] || { echo "manifest for $2 not found" >&2; exit 1; }
          echo "Pulling" >&2; echo "\${2##*/}" ;;
  cp) from="$HERE/files/\${2%%:/*}/\${2##*/}"; [ -e "$from" ] || exit 1; cp "$from" "$3" ;;
esac`;
const CARGO = `[ "$1" = --version ] && exit 0
echo "cargo $*" >> "$HERE/calls"
mkdir -p target/release
for name in iggy-server iggy-connectors libiggy_connector_random_source.so libiggy_connector_stdout_sink.so libiggy_connector_http_sink.so
do cp "$HERE/server" "target/release/$name"; done`;
/** Debian, for the library. */
const TOOLS = {
  'apt-get': `[ "$1" = --version ] && exit 0\necho deb > "$2_1.0_all.deb"`,
  'apt-cache': '[ "$1" = --version ]',
  dpkg: `[ "$1" = --version ] && exit 0\nmkdir -p "$3/usr/lib/x86_64-linux-gnu" && echo library > "$3/usr/lib/x86_64-linux-gnu/libhwloc.so.15"`,
  'dpkg-deb': `[ "$1" = --version ] && exit 0\necho 1.0`,
  ldconfig: 'echo',
};

describe('scripts/broker-iggy.mjs', () => {
  let here: string;
  beforeEach(() => {
    here = mkdtempSync(join(tmpdir(), 'landlord-iggy-'));
    for (const [name, script] of Object.entries({ ...TOOLS, docker: DOCKER, cargo: CARGO })) aTool(name, script);
    inImage('iggy:0.8.0', 'iggy-server', SERVER);
    writeFileSync(join(here, 'server'), SERVER, { mode: 0o755 });
  });
  afterEach(() => rmSync(here, { recursive: true, force: true }));

  function aTool(name: string, script: string): void {
    mkdirSync(join(here, 'bin'), { recursive: true });
    writeFileSync(join(here, 'bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }

  function inImage(image: string, name: string, content: string): void {
    mkdirSync(join(here, 'files', image), { recursive: true });
    writeFileSync(join(here, 'files', image, name), content, { mode: 0o755 });
  }

  function get(...args: string[]) {
    const env = { PATH: `${join(here, 'bin')}:/usr/bin:/bin`, HERE: here, LANDLORD_DATA_DIR: here };
    return spawnSync(process.execPath, ['scripts/broker-iggy.mjs', ...args], { cwd: ROOT, env, encoding: 'utf8' });
  }

  /** A checkout of Apache Iggy with one commit. */
  function aCheckout(tag: string): string {
    const checkout = join(here, 'checkout');
    mkdirSync(checkout);
    writeFileSync(join(checkout, 'NOTICE'), 'Apache Iggy');
    const git = (...args: string[]) =>
      spawnSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: checkout });
    for (const args of [
      ['init', '-q'],
      ['add', '.'],
      ['commit', '-qm', 'first'],
      ['tag', tag],
    ])
      git(...args);
    return checkout;
  }

  const calls = (): string[] => readFileSync(join(here, 'calls'), 'utf8').trim().split('\n');
  const files = (): string[] => readdirSync(join(here, 'packages', 'iggy')).sort();

  it('takes the programs and the licence out of the images, and removes the containers', () => {
    inImage('iggy:0.8.0', 'NOTICE', 'Apache Iggy');
    inImage('iggy-connect:0.4.0', 'iggy-connectors', SERVER);
    const { status, stdout } = get();

    expect(status).toBe(0);
    expect(files()).toEqual(['NOTICE', 'iggy-connectors', 'iggy-server']);
    expect(stdout).toContain('Taking iggy-server out of docker.io/apache/iggy:0.8.0 by docker.');
    expect(stdout).toContain(`iggy-server 0.8.0 is now in ${here}/packages/iggy`);
    expect(stdout).toContain('iggy-connectors has no plugins');
    expect(stdout).toContain('under the Apache License 2.0');
    expect(calls().filter((call) => call.startsWith('rm'))).toEqual(['rm iggy:0.8.0', 'rm iggy-connect:0.4.0']);
  });

  it('goes without the connectors where there is no image of them, and keeps what it has', () => {
    const { status, stdout } = get('--image');

    expect([status, files()]).toEqual([0, ['iggy-server']]);
    expect(stdout).toContain('iggy-connectors cannot be had: docker.io/apache/iggy-connect:0.4.0: manifest for');
    expect(stdout).toContain('without iggy-connectors: no connectors on its nodes');
    const before = calls().length;
    expect(get().stdout).toContain('iggy-server 0.8.0 lies already in');
    expect(calls()).toHaveLength(before);
  });

  it('unpacks the library that the system lacks, and runs the server with it', () => {
    inImage('iggy:0.8.0', 'iggy-server', WITH_LIBRARY);
    const { status, stdout } = get();

    expect([status, files()]).toEqual([0, ['iggy-server']]);
    expect(stdout).toContain('This system has no libhwloc.so.15');
    expect(existsSync(join(here, 'packages/libhwloc15/usr/lib/x86_64-linux-gnu/libhwloc.so.15'))).toBe(true);
  });

  it('leaves nothing when the server does not run here', () => {
    aTool('ldconfig', 'echo libhwloc.so.15');
    inImage('iggy:0.8.0', 'iggy-server', WITH_LIBRARY);
    const { status, stderr } = get();

    expect(status).toBe(UNAVAILABLE);
    expect(stderr).toContain('does not run here, or is no release 0.8: error while loading shared libraries');
    expect(readdirSync(join(here, 'packages'))).toEqual([]);
  });

  it('leaves nothing when the program is of another line', () => {
    inImage('iggy:0.8.0', 'iggy-server', SERVER.replace('0.8.0', '0.9.0'));
    const { status, stderr } = get();

    expect(status).toBe(UNAVAILABLE);
    expect(stderr).toContain('is no release 0.8: server 0.9.0');
    expect(existsSync(join(here, 'packages/iggy'))).toBe(false);
  });

  it('says what to do without docker and podman, and when the image cannot be had', () => {
    rmSync(join(here, 'files/iggy:0.8.0/iggy-server'));
    expect(get().stderr).toContain('docker.io/apache/iggy:0.8.0: exit code 1\nIs docker running');
    rmSync(join(here, 'files'), { recursive: true });
    expect(get().stderr).toContain('docker.io/apache/iggy:0.8.0: manifest for docker.io/apache/iggy:0.8.0 not found');

    for (const name of ['docker', 'podman']) aTool(name, 'exit 127');
    const { status, stderr } = get();
    expect(status).toBe(UNAVAILABLE);
    expect(stderr).toContain('neither docker nor podman');
    expect(stderr).toContain('npm run broker:iggy -- --source iggy');
  });

  it('builds from a checkout of the tag, and says before what it does', () => {
    const { status, stdout } = get('--source', aCheckout('server-0.8.0'));

    expect(status).toBe(0);
    const plugins = ['http_sink', 'random_source', 'stdout_sink'].map((name) => `libiggy_connector_${name}.so`);
    expect(files()).toEqual(['NOTICE', 'iggy-connectors', 'iggy-server', ...plugins]);
    expect(stdout).toContain('This takes 10 to 40 minutes');
    expect(stdout).toContain('libhwloc-dev');
    expect(calls()[0]).toBe('cargo build --release --locked --no-default-features --features mimalloc -p server');
  });

  it('refuses a checkout of another tag, changed sources, and a machine without cargo', () => {
    const other = get('--source', aCheckout('server-0.9.0'));
    expect([other.status, existsSync(join(here, 'calls'))]).toEqual([UNAVAILABLE, false]);
    expect(other.stderr).toContain('is not a checkout of the tag server-0.8.0');

    rmSync(join(here, 'checkout'), { recursive: true });
    const checkout = aCheckout('server-0.8.0');
    writeFileSync(join(checkout, 'NOTICE'), 'changed');
    expect(get('--source', checkout).stderr).toContain('has changes');

    writeFileSync(join(checkout, 'NOTICE'), 'Apache Iggy');
    aTool('cargo', 'exit 127');
    expect(get('--source', checkout).stderr).toContain('This machine has no cargo');
  });

  it('knows no other words', () => {
    chmodSync(here, 0o755);

    expect([get('--what').status, get('--source').status, get('--image', 'x').status]).toEqual([2, 2, 2]);
  });
});
