import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProgramCopies } from './program-copies.js';

const [FIRST, SECOND, THIRD, FOURTH] = ['1', '2', '3', '4'].map((digit) => digit.repeat(16)) as [
  string,
  string,
  string,
  string,
];
const SERVE = 'process.stdout.write("up"); setInterval(() => undefined, 1000);';
const onLinux = process.platform === 'linux' ? it : it.skip;

describe('The copies of programs in the data directory', () => {
  let dataDir: string;
  let users: ChildProcess[];
  const complaints: string[] = [];

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'landlord-copies-'));
    users = [];
    [FIRST, SECOND, THIRD, FOURTH].forEach((name, age) => addCopy(name, age));
  });
  afterEach(async () => {
    for (const user of users) {
      user.kill('SIGKILL');
      await once(user, 'close');
    }
    rmSync(dataDir, { recursive: true });
    expect(complaints).toEqual([]);
  });

  const programs = (...path: string[]): string => join(dataDir, 'programs', ...path);
  const entryIn = (name: string): string => programs(name, 'dist/main.js');
  const copiesFor = (program: string): ProgramCopies =>
    new ProgramCopies(dataDir, { complain: (line) => void complaints.push(line) }, program);
  const remaining = (): string[] => readdirSync(programs()).sort();

  /** The copies with a higher age in this sense were started later. */
  function addCopy(name: string, age: number): void {
    mkdirSync(programs(name, 'dist'), { recursive: true });
    writeFileSync(entryIn(name), SERVE);
    utimesSync(programs(name), 1_000_000 + age, 1_000_000 + age);
  }

  async function use(file: string, args: string[], cwd = '/'): Promise<void> {
    const user = spawn(file, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
    users.push(user);
    await once(user.stdout, 'data');
  }

  it('are removed, except the own one and the youngest other one', async () => {
    await copiesFor(entryIn(FOURTH)).removeOld();
    expect(remaining()).toEqual([THIRD, FOURTH]);
  });

  it('keep the release that ran before a roll-back', async () => {
    await copiesFor(entryIn(SECOND)).removeOld();
    expect(remaining()).toEqual([SECOND, FOURTH]);

    await copiesFor(entryIn(FOURTH)).removeOld();
    expect(remaining()).toEqual([SECOND, FOURTH]);
  });

  it('keep the youngest for a launcher that runs from another place', async () => {
    await copiesFor('/somewhere/else/main.js').removeOld();
    expect(remaining()).toEqual([FOURTH]);
  });

  it('stay while an argument of a process names them', async () => {
    await use(process.execPath, [entryIn(FIRST)]);
    await copiesFor(entryIn(FOURTH)).removeOld();
    expect(remaining()).toEqual([FIRST, THIRD, FOURTH]);

    users[0]?.kill('SIGKILL');
    await once(users[0] as ChildProcess, 'close');
    users = [];
    await copiesFor(entryIn(FOURTH)).removeOld();
    expect(remaining()).toEqual([THIRD, FOURTH]);
  });

  onLinux('stay while a process has its program or its working directory there', async () => {
    const sleep = programs(FIRST, 'dist/sh');
    copyFileSync('/bin/sh', sleep);
    // The shell hides its path from the list of processes, as PostgreSQL does.
    await use('/bin/bash', ['-c', `exec -a hidden ${sleep} -c 'echo up; read never' </dev/zero`]);
    await use(process.execPath, ['-e', SERVE], programs(SECOND, 'dist'));

    await copiesFor(entryIn(FOURTH)).removeOld();

    expect(remaining()).toEqual([FIRST, SECOND, THIRD, FOURTH]);
  });

  it('lose the drafts of processes that have ended, and nothing that has another name', async () => {
    const dead = `${FIRST}.${2 ** 22 + 1}`;
    const living = `${FIRST}.${process.ppid}`;
    for (const name of [dead, living, 'notes']) mkdirSync(programs(name));

    await copiesFor(entryIn(FOURTH)).removeOld();

    expect(remaining()).toEqual([living, THIRD, FOURTH, 'notes'].sort());
  });

  it('are no concern of a data directory without them', async () => {
    rmSync(programs(), { recursive: true });
    await copiesFor('/somewhere/else/main.js').removeOld();
    expect(existsSync(programs())).toBe(false);
  });
});
