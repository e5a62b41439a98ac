import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { skippedTest, SmallDisk, takePort, type Test } from '@libs/testing';
import { packagesFolder } from '../../../scripts/debian-package.mjs';
import { Newcomer, type Said } from './newcomer.fixture.js';
import { describeRelease } from './release.fixture.js';

const OLD_RELEASE = 16;
const SMALL_MIB = 256;
/** Of the first version of control groups: only this one can be written below the root group everywhere. */
const GROUPS = '/sys/fs/cgroup/memory';

const oldNode = findOldNode();
const itWithOldNode: Test =
  oldNode === null
    ? skippedTest(`Node ${OLD_RELEASE} cannot be installed`, 'The npm registry must be reachable')
    : (title, test) => it(title, test);
const group = openGroup();
const itInGroup: Test =
  group === null
    ? skippedTest('this user may not limit the memory of a process', 'Run them as root with control groups, version 1')
    : (title, test) => it(title, test);
const itOnDisk: Test = await SmallDisk.mount(1).then(
  async (disk) => {
    await disk.unmount();
    return (title: string, test: () => Promise<void>) => it(title, test);
  },
  () => skippedTest('this user may not mount a small disk', 'Run them as root'),
);

/** Each failure says one thing and what to do, before it changes anything. */
describeRelease('landlord-server of a release', (release) => {
  let person: Newcomer;
  const start = ['node_modules/.bin/landlord-server', 'start'];
  beforeAll(async () => {
    person = await Newcomer.withPackages(release.server);
  });
  afterAll(async () => {
    await person.leave();
    if (group !== null) rmdirSync(group);
  });

  /** The whole output of a start that must fail: one line without a stack. */
  async function refusal(run: Promise<Said>): Promise<[code: number | null, line: string]> {
    const { code, output } = await run;
    expect(output.trim().split('\n')).toHaveLength(1);
    return [code, output.trim()];
  }

  it('names a taken port', async () => {
    const free = await takePort(`127.0.0.1:${person.port}`);
    try {
      expect(await refusal(person.run(start))).toEqual([
        75,
        expect.stringMatching(`^Port ${person.port} for the main API \\(MAIN_API_PORT\\) is in use by .*Free the port`),
      ]);
    } finally {
      await free();
    }
  });

  itOnDisk('names a disk that cannot be written', async () => {
    const disk = await SmallDisk.mount(300);
    try {
      execFileSync('mount', ['-o', 'remount,ro', disk.directory]);
      expect(await refusal(person.run(start, { LANDLORD_DATA_DIR: disk.directory }))).toEqual([
        78,
        expect.stringMatching(`^Landlord cannot copy its programs to ${disk.directory}/.*EROFS.*Set LANDLORD_DATA_DIR`),
      ]);
    } finally {
      await disk.unmount();
    }
  });

  itOnDisk('names a disk without room, and leaves no half of a copy there', async () => {
    const disk = await SmallDisk.mount(20);
    try {
      expect(await refusal(person.run(start, { LANDLORD_DATA_DIR: disk.directory }))).toEqual([
        75,
        expect.stringMatching(
          `^Landlord cannot copy its programs to ${disk.directory}/.*ENOSPC.*Set LANDLORD_DATA_DIR`,
        ),
      ]);
      expect(execFileSync('find', [disk.directory, '-type', 'f'], { encoding: 'utf8' })).toBe('');
    } finally {
      await disk.unmount();
    }
  });

  it('names a path that is a file', async () => {
    const file = join(person.home, 'file');
    writeFileSync(file, '');

    expect(await refusal(person.run(start, { LANDLORD_DATA_DIR: join(file, 'data') }))).toEqual([
      78,
      expect.stringMatching(/ENOTDIR.*Set LANDLORD_DATA_DIR/),
    ]);
  });

  itInGroup('names too little memory, and creates no data', async () => {
    const line = `echo $$ > ${group}/cgroup.procs && exec ${start.join(' ')}`;

    expect(await refusal(person.run(['sh', '-c', line], { LANDLORD_DATA_DIR: join(person.home, 'small') }))).toEqual([
      78,
      `Landlord needs 512 MiB of memory, and may use ${SMALL_MIB} MiB here. Raise the limit, or use another machine.`,
    ]);
    expect(existsSync(join(person.home, 'small'))).toBe(false);
  });

  itWithOldNode('names an old release of Node', async () => {
    const run = person.run([oldNode ?? '', ...start]);

    expect(await refusal(run)).toEqual([
      1,
      expect.stringMatching(`^Landlord needs Node.js 20.19 or later, and this is v${OLD_RELEASE}[.]`),
    ]);
  });
});

/** The program of an old release of Node from npm, or null. */
function findOldNode(): string | null {
  const folder = join(packagesFolder(), `node-${OLD_RELEASE}`);
  const name = `node-${process.platform}-${process.arch}`;
  const program = join(folder, 'node_modules', name, 'bin/node');
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', `${name}@${OLD_RELEASE}`];
  spawnSync('npm', args, { cwd: folder });
  return existsSync(program) ? program : null;
}

/** A group of processes with little memory, or null. */
function openGroup(): string | null {
  const folder = join(GROUPS, `landlord-test-${process.pid}`);
  try {
    mkdirSync(folder);
    writeFileSync(join(folder, 'memory.limit_in_bytes'), String(SMALL_MIB * 2 ** 20));
    return folder;
  } catch {
    return null;
  }
}
