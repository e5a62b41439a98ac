import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readlinkSync, readFileSync, statSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { skippedSuite } from '@libs/testing';
import { create } from 'tar';

const SCRIPT = resolve(import.meta.dirname, 'join.sh');
const TOKEN = '7.one-time_secret';
/** Tools of the host that the script may use as they are. */
const TOOLS = [
  ...[
    'cat',
    'chmod',
    'cp',
    'echo',
    'find',
    'grep',
    'gzip',
    'head',
    'ln',
    'mkdir',
    'mktemp',
    'mv',
    'rm',
    'sed',
    'sha256sum',
  ],
  ...['sleep', 'stat', 'tail', 'tar', 'sh'],
];
const isLinux = process.platform === 'linux';
const describeOnLinux = isLinux ? describe : skippedSuite('join.sh is for Linux', 'Run the tests on Linux');
const mayMount = isLinux && process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'true']).status === 0;
const describeAsRoot = mayMount ? describe : skippedSuite('/etc cannot be replaced', 'Run the tests as root');

/** The script runs with the real tools, and with stubs for what depends on the host. */
describeOnLinux('join.sh', () => {
  let place: string;
  let stubs: string;
  let directory: string;
  let hashes: { node: string; agent: string };

  beforeEach(async () => {
    place = await mkdtemp(join(tmpdir(), 'landlord-join-'));
    [stubs, directory] = [join(place, 'bin'), join(place, 'machine')];
    await mkdir(stubs);
    for (const tool of TOOLS) {
      const path = ['/usr/bin', '/bin'].map((folder) => join(folder, tool)).find((file) => existsSync(file));
      if (path) await symlink(path, join(stubs, tool));
    }
    const nothing = ['useradd', 'userdel', 'journalctl'].map((name) => stub(name, 'exit 0'));
    await Promise.all([
      ...nothing,
      stub('id', 'echo 0'),
      stub('uname', 'echo x86_64'),
      stub('getconf', 'echo glibc 2.31'),
      stub(
        'systemctl',
        `echo "$*" >>${place}/systemctl; case $1 in restart) echo '{"machine_id":3}' >${directory}/credential.json;; esac`,
      ),
      // Stores its arguments and its configuration, and serves a file by the last part of the address.
      stub(
        'curl',
        `echo "$*" >>${place}/arguments; cat >>${place}/configuration
        while [ $# -gt 1 ]; do [ "$1" != --output ] || out=$2; shift; done; cp "${place}/\${1##*/}" "$out"`,
      ),
      writeFile(join(place, 'ca.pem'), 'authority'),
      writeFile(join(place, 'token'), `${TOKEN}\n`, { mode: 0o600 }),
    ]);
    hashes = {
      node: await artifact({ 'node-v22.1.0-linux-x64/bin/node': '#!/bin/sh\n' }),
      agent: await artifact({ 'machine.main.js': '' }),
    };
    const lines = `agent ${hashes.agent} agent.main.js\nnode ${hashes.node} node-v22.1.0-linux-x64/bin/node\n`;
    await writeFile(join(place, 'programs?processor=x64'), lines);
  });
  afterEach(() => rm(place, { recursive: true, force: true }));

  async function stub(name: string, text: string): Promise<void> {
    await rm(join(stubs, name), { force: true });
    await writeFile(join(stubs, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  }

  /** Stores a packed folder with these files under its sha256. */
  async function artifact(files: Record<string, string>): Promise<string> {
    const cwd = await mkdtemp(join(place, 'source-'));
    for (const [path, text] of Object.entries(files)) {
      await mkdir(join(cwd, path, '..'), { recursive: true });
      await writeFile(join(cwd, path), text, { mode: 0o755 });
    }
    const file = join(cwd, 'packed');
    create({ cwd, file, sync: true, gzip: true, portable: true }, Object.keys(files));
    const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex');
    await writeFile(join(place, sha256), readFileSync(file));
    return sha256;
  }

  function run(changes: Record<string, string | null> = {}, input = '', times = 1) {
    const script = {
      ...{ url: 'https://gateway.example:4001', 'ca-file': join(place, 'ca.pem'), directory },
      'token-file': join(place, 'token'),
      ...changes,
    };
    const args = Object.entries(script).flatMap(([name, value]) => (value === null ? [] : [`--${name}`, value]));
    // The script writes its unit into an empty folder that only this process sees.
    const mount = 'mkdir -p /etc/systemd/system && mount -t tmpfs tmpfs /etc/systemd/system';
    const after = `status=$?; cp /etc/systemd/system/*.service ${place}/ 2>/dev/null; exit $status`;
    const inside = `${mount}; ${`PATH=${stubs} sh ${SCRIPT} "$@"; `.repeat(times)}${after}`;
    const [program, before] = mayMount
      ? ['unshare', ['--mount', 'sh', '-c', inside, 'sh', ...args]]
      : ['sh', [SCRIPT, ...args]];
    const { PATH = '' } = mayMount ? process.env : { PATH: stubs };
    return spawnSync(program, before, { encoding: 'utf8', input, env: { PATH } });
  }

  it('has at most 8 KB', () => {
    expect(statSync(SCRIPT).size).toBeLessThanOrEqual(8 * 1024);
  });

  describe('refuses with one sentence, and leaves nothing behind:', () => {
    it.each<[string, Record<string, string>, string]>([
      ['a user who is not root', { id: 'echo 1000' }, 'Run this script as root.'],
      ['a host without systemd', { systemctl: 'exit 1' }, 'This host does not run systemd.'],
      ['an old glibc', { getconf: 'echo glibc 2.17' }, 'Nodes need glibc 2.28 or later, and this host has glibc 2.17.'],
      ['a host without glibc', { getconf: 'exit 1' }, 'Nodes need glibc 2.28 or later, and this host has none.'],
      [
        'another processor',
        { uname: 'echo riscv64' },
        'Nodes run on the processors x86_64 and aarch64, and this host has riscv64.',
      ],
    ])('%s', async (_, replaced, sentence) => {
      for (const [name, text] of Object.entries(replaced)) await stub(name, text);

      expect(run()).toMatchObject({ status: 1, stdout: '', stderr: `${sentence}\n` });
      expect(existsSync(directory)).toBe(false);
      expect(existsSync(join(place, 'arguments'))).toBe(false);
    });

    it('a missing tool', async () => {
      await rm(join(stubs, 'useradd'));

      expect(run()).toMatchObject({ status: 1, stderr: 'This host has no useradd, which a machine needs.\n' });
      expect(existsSync(directory)).toBe(false);
    });

    it.each<[string, Record<string, string | null>, RegExp]>([
      ['http', { url: 'http://gateway.example' }, /^Give the address of the gateway with --url https/],
      ['a quote in the address', { url: 'https://a","token":"' }, /^Give the address of the gateway/],
      ['a missing authority', { 'ca-file': '/nowhere/ca.pem' }, /^Give the certificate of the authority/],
      ['a directory with a space', { directory: '/tmp/a b' }, /^Give an absolute path with --directory/],
      ['memory that is no number', { memory: '1;reboot' }, /^Give whole MiB with --memory/],
      ['a token in the arguments', { token: TOKEN }, /^Give the token in a file/],
      ['an unknown argument', { color: 'red' }, /^The argument --color is unknown/],
      ['an incomplete token', { 'token-file': null }, /^The join token is not complete/],
    ])('%s', (_, changes, sentence) => {
      const { status, stderr } = run(changes);

      expect(status).toBe(1);
      expect(stderr).toMatch(sentence);
      expect(stderr.trim().split('\n')).toHaveLength(1);
      expect(existsSync(directory)).toBe(false);
    });

    it('a token file that other users can read', async () => {
      await chmod(join(place, 'token'), 0o644);

      expect(run().stderr).toBe(`Other users can read ${join(place, 'token')}: run chmod 600 on the file.\n`);
      expect(existsSync(directory)).toBe(false);
    });
  });

  describeAsRoot('with the gateway', () => {
    it('starts nothing of an artifact with another sha256, and leaves nothing behind', async () => {
      await writeFile(join(place, hashes.agent), 'other');

      expect(run()).toMatchObject({
        status: 1,
        stderr: `The artifact agent has another sha256 than ${hashes.agent}: nothing of it was started.\n`,
      });
      expect(existsSync(directory)).toBe(false);
      expect(readFileSync(join(place, 'systemctl'), 'utf8')).not.toContain('start');
    });

    it('leaves nothing behind when the gateway refuses the token, or a download fails', async () => {
      await rm(join(place, hashes.node));
      const withoutNode = run();
      await stub('curl', 'exit 22');

      expect(withoutNode.stderr).toMatch(
        /The artifact node cannot be downloaded from https:..gateway.example:4001\.\n$/,
      );
      expect(run().stderr).toMatch(/^The gateway https:..gateway.example:4001 cannot be reached, or refuses the token/);
      expect(existsSync(directory)).toBe(false);
    });

    it('says what an operator must do when the gateway has no program for the processor', async () => {
      await writeFile(join(place, 'programs?processor=x64'), `agent ${hashes.agent} agent.main.js\n`);

      expect(run().stderr).toMatch(
        /^The gateway lacks programs for this processor: an operator must run npm run artifacts/,
      );
      expect(existsSync(directory)).toBe(false);
    });

    it('sends the token outside the arguments, trusts the authority alone, and writes the machine', async () => {
      expect(run({ memory: '2048', address: '10.0.0.7' })).toMatchObject({ status: 0, stderr: '' });

      const called = await readFile(join(place, 'arguments'), 'utf8');
      expect(called).not.toContain(TOKEN);
      expect(called).toContain(`--cacert ${join(place, 'ca.pem')}`);
      expect(called).toContain(`https://gateway.example:4001/agent/v1/artifacts/${hashes.node}`);
      const configuration = await readFile(join(place, 'configuration'), 'utf8');
      expect(configuration).toBe(`header = "authorization: Bearer join ${TOKEN}"\n`.repeat(3));
      expect(JSON.parse(await readFile(join(directory, 'machine.json'), 'utf8'))).toEqual({
        ...{ agent_url: 'https://gateway.example:4001', token: TOKEN, nodes: 'systemd' },
        ...{ ca_file: join(directory, 'ca.pem'), memory_mib: 2048, address: '10.0.0.7' },
      });
      expect(statSync(join(directory, 'machine.json')).mode & 0o777).toBe(0o600);
      const unit = await readFile(join(place, 'landlord-machine.service'), 'utf8');
      expect(unit).toContain(
        `ExecStart=${directory}/machine/node-${hashes.node}/node-v22.1.0-linux-x64/bin/node ${directory}/machine/agent/machine.main.js --dir ${directory}\n`,
      );
      expect(readlinkSync(join(directory, 'machine', 'agent'))).toBe(`agent-${hashes.agent}`);
      expect(readdirSync(directory).filter((name) => name.startsWith('.'))).toEqual([]);
    });

    it('lets nodes use the whole host on request', async () => {
      expect(run({ memory: 'host' })).toMatchObject({ status: 0, stderr: '' });

      const written = JSON.parse(await readFile(join(directory, 'machine.json'), 'utf8')) as object;
      expect(written).toMatchObject({ limits: 'host' });
      expect(written).not.toHaveProperty('memory_mib');
    });

    it('changes nothing when the host is already a machine', async () => {
      const { status, stdout } = run({}, '', 2);

      expect({ status, stdout }).toEqual({
        status: 0,
        stdout:
          'This host is now a machine of Landlord.\nThis host is already a machine of Landlord. Nothing was changed.\n',
      });
      expect((await readFile(join(place, 'systemctl'), 'utf8')).match(/^restart/gm)).toHaveLength(1);
    });

    it('takes the token from standard input', async () => {
      expect(run({ 'token-file': null }, `${TOKEN}\n`).status).toBe(0);
      expect(await readFile(join(directory, 'machine.json'), 'utf8')).toContain(TOKEN);
    });

    it('says why the machine agent refused, and leaves nothing behind', async () => {
      await stub('systemctl', 'case $1-$2 in show---property=ExecMainStatus) echo 78;; esac');
      await stub('journalctl', `echo '{"level":"info"}'; echo 'The gateway refused the join.'`);

      expect(run()).toMatchObject({ status: 1, stderr: 'The gateway refused the join.\n' });
      expect(existsSync(directory)).toBe(false);
      expect(existsSync(join(place, 'landlord-machine.service'))).toBe(false);
    });
  });
});
