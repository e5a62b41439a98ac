import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, skippedSuite } from '@libs/testing';
import { ContainerHost, mayBootHosts } from '../../../../test/machine/container.fixture.js';
import { copyUnit, failureOf } from './copy-unit.js';

const DIRECTORY = '/var/lib/landlord-machine';
const WORK = `${DIRECTORY}/copies/5`;
const TARGET = `${DIRECTORY}/nodes/5/copied-7`;
const UNIT = 'landlord-copy-5.service';
const DEVICE = '/dev/disk/by-id/nvme-Amazon_Elastic_Block_Store_vol0123';
const MIB = 1024 ** 2;
const describeWithHosts = mayBootHosts
  ? describe
  : skippedSuite('there is no host with systemd', 'Run "npm run machine:host" and the tests as root');

/** The unit runs in a real host, with a real file system on a disk of its own. */
describeWithHosts('The copy of another disk', () => {
  let host: ContainerHost;
  let place: string;
  let disk: string;

  beforeEach(async () => {
    place = await mkdtemp(join(tmpdir(), 'landlord-disk-'));
    await writeFile(join(place, 'disk'), '');
    await truncate(join(place, 'disk'), 32 * MIB);
    disk = run('losetup', '--find', '--show', join(place, 'disk')).trim();
    run('mkfs.ext4', '-q', disk);
    host = await ContainerHost.boot();
    inHost(`mknod ${disk} b 7 ${disk.replace('/dev/loop', '')}; mkdir -p /dev/disk/by-id ${DIRECTORY}/copies`);
    inHost(`useradd --system node5; install -d -m 700 -o node5 ${DIRECTORY}/nodes/5; useradd --uid 4321 other`);
  });
  afterEach(async () => {
    await host.destroy();
    run('losetup', '--detach', disk);
    await rm(place, { recursive: true, force: true });
  });

  /** What the earlier machine has on the disk. */
  const onDisk = (script: string): void => {
    inHost(
      `mkdir -p /mnt/disk; mount ${disk} /mnt/disk; cd /mnt/disk; mkdir -p nodes/3; ${script}; cd /; umount /mnt/disk`,
    );
  };
  const start = async (): Promise<string> => {
    const copy = { order: 7, device: DEVICE, node_id: 3 };
    const content = copyUnit({ nodeId: 5, copy, user: 'node5', work: WORK, target: TARGET, dir: DIRECTORY });
    await host.put(`/etc/systemd/system/${UNIT}`, content, 0o644);
    inHost(`ln -sfn ${disk} ${DEVICE}; systemctl daemon-reload; systemctl start --no-block ${UNIT}`);
    let state = '';
    await eventually('the copy ends', () => {
      state = host.show(UNIT, 'ActiveState').ActiveState ?? '';
      return ['active', 'failed'].includes(state);
    });
    return state;
  };
  const inHost = (script: string): string => {
    const { status, stdout, stderr } = host.run('sh', '-euc', script);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    return stdout;
  };

  it('gives the frozen data of the other node to the user of the node, and leaves nothing else', async () => {
    onDisk(
      'mkdir -p nodes/3/frozen/deep; echo one >nodes/3/frozen/a; echo two >nodes/3/frozen/deep/b; chown -R 4321 nodes/3',
    );

    expect(await start()).toBe('active');

    expect(inHost(`cd ${TARGET}; cat a deep/b; stat -c '%U %a %F' . a deep`)).toBe(
      'one\ntwo\nnode5 700 directory\nnode5 600 regular file\nnode5 700 directory\n',
    );
    expect(inHost(`ls ${DIRECTORY}/copies; grep -c ${disk} /proc/mounts || true`)).toBe('5.failed\n0\n');
    // The disk can be detached, and another start does not copy again.
    inHost(`rm ${disk} ${TARGET}/a; systemctl stop ${UNIT}`);
    expect(await start()).toBe('active');
    expect(inHost(`ls ${TARGET}`)).toBe('deep\n');
  });

  it.each([
    ['the frozen data is a link to other data', 'ln -s /etc nodes/3/frozen'],
    ['the node is a link', 'rmdir nodes/3; mkdir -p other/frozen; ln -s ../other nodes/3'],
    ['there is no frozen data', 'true'],
  ])('fails when %s', async (_case, script) => {
    onDisk(script);

    expect(await start()).toBe('failed');

    expect(inHost(`cat ${failureOf(WORK)}`)).toBe(`The disk ${DEVICE} has no frozen data of node 3.\n`);
    expect(inHost(`ls -A ${DIRECTORY}/nodes/5; grep -c ${disk} /proc/mounts || true`)).toBe('0\n');
  });

  it('copies links as links, and nothing that they point to', async () => {
    onDisk('mkdir nodes/3/frozen; ln -s /etc/hostname nodes/3/frozen/link');

    expect(await start()).toBe('active');

    expect(inHost(`readlink ${TARGET}/link`)).toBe('/etc/hostname\n');
    expect(inHost('stat -c %U /etc/hostname')).toBe('root\n');
  });
});

function run(program: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  expect({ program, status, stderr: status === 0 ? '' : stderr }).toEqual({ program, status: 0, stderr: '' });
  return stdout;
}
