import { spawnSync } from 'node:child_process';
import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describeWithIggy, IggyHttp, numbered, skippedSuite } from '@libs/testing';
import type { BrokerUnderTest } from '../../../test/brokers/embedded.fixture.js';
import { anIggyNode } from '../../../test/brokers/iggy.fixture.js';
import { IGGY_FILES } from './iggy-files.js';

const DISK_BYTES = 256 * 1024 * 1024;
const MESSAGES = 100;
/** Position of the finished flushes in /sys/block/<device>/stat (Documentation/block/stat.rst of Linux). */
const FLUSHES = 15;

const canMount =
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  spawnSync('losetup', ['--find']).status === 0 &&
  spawnSync('mkfs.ext4', ['-V']).status === 0;
const describeWithLoopDevice = canMount
  ? describeWithIggy
  : skippedSuite(
      'no file system can be mounted on a file',
      'Run the tests as root on a Linux with loop devices and mkfs.ext4',
    );

/** A disk in a file, which counts the flushes that it is asked for. */
class CountingDisk {
  private constructor(
    readonly directory: string,
    private readonly device: string,
  ) {}

  static async mount(file: string, directory: string): Promise<CountingDisk> {
    const image = await open(file, 'w');
    await image.truncate(DISK_BYTES);
    await image.close();
    run('mkfs.ext4', '-q', file);
    await mkdir(directory, { recursive: true, mode: 0o700 });
    run('mount', '-o', 'loop', file, directory);
    await rm(join(directory, 'lost+found'), { recursive: true });
    const device = run('findmnt', '--noheadings', '--output', 'SOURCE', '--target', directory);
    return new CountingDisk(directory, basename(device.trim()));
  }

  async flushes(): Promise<number> {
    const counters = await readFile(`/sys/block/${this.device}/stat`, 'utf8');
    return Number(counters.trim().split(/\s+/)[FLUSHES]);
  }

  /** How many flushes happen during the work. */
  async during(work: () => Promise<void>): Promise<number> {
    const before = await this.flushes();
    await work();
    return (await this.flushes()) - before;
  }

  unmount(): void {
    run('umount', '--lazy', this.directory);
  }
}

function run(program: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
  return stdout;
}

describeWithLoopDevice('a node with iggy', () => {
  let node: BrokerUnderTest;
  let disk: CountingDisk;
  beforeAll(async () => {
    node = await anIggyNode();
    disk = await CountingDisk.mount(`${node.home.dir}/disk.img`, IGGY_FILES.data(node.home));
    await node.start();
  });
  afterAll(async () => {
    await node.runtime.stop(node.home, 3_000);
    disk.unmount();
    await node.destroy();
  });

  it('asks the disk to store each message before it acknowledges the message', async () => {
    const client = await IggyHttp.signIn(node.spec.listen.ports.http);
    await client.createTopic('orders');

    const flushes = await disk.during(async () => {
      for (const text of numbered(MESSAGES)) expect(await client.send('orders', [text])).toBe(201);
    });
    const withoutRequest = await disk.during(async () => {
      const file = await open(join(disk.directory, 'without-fsync'), 'w');
      for (const text of numbered(MESSAGES)) await file.write(text);
      await file.close();
    });

    expect(flushes).toBeGreaterThanOrEqual(MESSAGES);
    // The file system itself flushes its journal every few seconds.
    expect(withoutRequest).toBeLessThan(MESSAGES / 4);
  });

  it('asks the disk to store a new topic before it acknowledges the topic', async () => {
    const client = await IggyHttp.signIn(node.spec.listen.ports.http);

    const flushes = await disk.during(() => client.createTopic('payments'));

    expect(flushes).toBeGreaterThanOrEqual(1);
  });
});
