import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { skippedTest, TestCloud } from '@libs/testing';
import { CommandLine } from './command-line.js';

const PROGRAMS = ['dbus-run-session', 'gnome-keyring-daemon', 'secret-tool'];
const MISSING = PROGRAMS.filter((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0);
/** Only keyrings of Linux need the bus. */
const WITHOUT_BUS = { LANDLORD_KEYRING: 'on', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' };
const CONTEXTS = '.config/landlord/contexts.json';

/** A test with a real keyring of another project. */
const itWithKeyring =
  MISSING.length === 0
    ? it
    : skippedTest(`${MISSING.join(', ')} is missing`, 'Install dbus, gnome-keyring and libsecret-tools');
/** Elsewhere, nothing takes the keyring away from a process. */
const itOnLinux = process.platform === 'linux' ? it : it.skip;

describe('The key of a person', () => {
  let cloud: TestCloud;
  beforeAll(async () => {
    cloud = await TestCloud.borrow();
  });
  afterAll(() => cloud.stop());

  /** Runs lines of a shell in a session with an open keyring. `landlord` is the command line. */
  function inSession(
    person: CommandLine,
    ...lines: string[]
  ): { status: number | null; stdout: string; stderr: string } {
    const { command, args, cwd, env } = person.program();
    const open = `printf password | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1`;
    const script = [`landlord() { '${command}' '${args.join(' ')}' "$@"; }`, open, ...lines].join('\n');
    writeFileSync(join(cwd, 'session.sh'), script);
    return spawnSync('dbus-run-session', ['--', 'sh', '-e', 'session.sh'], { cwd, env, encoding: 'utf8' });
  }

  itWithKeyring('is in the keyring of the system, and in no file', async () => {
    const person = new CommandLine({ LANDLORD_KEYRING: 'on' });
    writeFileSync(join(person.home, 'key'), cloud.key);
    const login = `landlord login --url ${cloud.mainApi.url} --key-file key`;

    const { status, stdout, stderr } = inSession(
      person,
      login,
      'secret-tool lookup service landlord username default > kept',
      'landlord divisions list -o name',
      'landlord context show',
      'landlord logout',
      'if secret-tool lookup service landlord username default; then exit 1; fi',
    );

    expect([stderr, status]).toEqual([stderr, 0]);
    expect(stderr).toContain('The key is in the keyring of the system.');
    expect(stdout).toMatch(/^Default\n[^]*key_in +keyring/);
    expect(stdout + stderr).not.toContain(cloud.key);
    expect(readFileSync(join(person.home, 'kept'), 'utf8')).toBe(cloud.key);
    expect(readFileSync(join(person.home, CONTEXTS), 'utf8')).not.toContain(cloud.key);
  });

  itOnLinux('is in the file when there is no keyring, or when the person wants none', async () => {
    for (const env of [WITHOUT_BUS, { LANDLORD_KEYRING: 'off' }]) {
      const person = new CommandLine(env);
      writeFileSync(join(person.home, 'key'), cloud.key);

      const login = await person.run('login', '--url', cloud.mainApi.url, '--key-file', 'key');

      expect([login.stderr, login.code]).toEqual([login.stderr, 0]);
      expect(login.stderr).toMatch(
        /The key is in .*contexts\.json, because the keyring of the system cannot be used \(.+\)\./,
      );
      expect(readFileSync(join(person.home, CONTEXTS), 'utf8')).toContain(cloud.key);
      expect((await person.run('divisions', 'list', '-o', 'name')).stdout).toBe('Default\n');
    }
  });

  itOnLinux('is missed with a message when the keyring has gone', async () => {
    const person = new CommandLine(WITHOUT_BUS);
    writeFileSync(join(person.home, 'key'), cloud.key);
    await person.run('login', '--url', cloud.mainApi.url, '--key-file', 'key');
    const file = join(person.home, CONTEXTS);
    writeFileSync(file, readFileSync(file, 'utf8').replace(`"${cloud.key}"`, 'null'));

    expect(await person.run('divisions', 'list')).toMatchObject({
      ...{ code: 3, stdout: '' },
      stderr: expect.stringMatching(/keyring of the system[^]*try: landlord login, or set LANDLORD_API_KEY/) as string,
    });
  });
});
