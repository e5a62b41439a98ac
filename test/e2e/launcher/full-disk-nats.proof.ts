import { join } from 'node:path';
import { describeWithNats, eventually, nodeProcesses, SmallDisk } from '@libs/testing';
import { connectTo } from './mqtt-traffic.fixture.js';
import { RunningLandlord, type OpenDeployment } from './running-landlord.fixture.js';

/** Room for PostgreSQL and the store of nats-server. */
const DISK_MIB = 500;
const SETUP_MS = 5 * 60_000;
const PAYLOAD = Buffer.alloc(64 * 1024, 'x');
const TOPIC = 'full/disk';

const describeOnSmallDisk = await SmallDisk.describe(describeWithNats);

/** What nats-server itself does on a full disk is its own. Everything around it stays, and clients go on when there is space. */
describeOnSmallDisk('An installation with nats whose disk is full', () => {
  let disk: SmallDisk;
  let landlord: RunningLandlord;
  let deployment: OpenDeployment;
  let before: number[];

  beforeAll(async () => {
    disk = await SmallDisk.mount(DISK_MIB);
    landlord = await RunningLandlord.start({ dataDirectory: join(disk.directory, 'data'), broker: 'nats' });
    deployment = await landlord.createDeployment();
    expect(await passes('before')).toBe(true);
    before = await ownProcesses();
  }, SETUP_MS);
  afterAll(async () => {
    await disk.free();
    await landlord.stop();
    await disk.unmount();
  }, SETUP_MS);

  /** Pids of all processes but nats-server and its gate, which starts with it when it has ended. */
  async function ownProcesses(): Promise<number[]> {
    const ofBroker = (await nodeProcesses(landlord.installation)).filter(({ kind }) => kind !== 'agent');
    return (await landlord.processes()).filter((pid) => !ofBroker.some((one) => one.pid === pid));
  }

  /** Whether a new client publishes a message with QoS 1 and receives it. */
  async function passes(text: string): Promise<boolean> {
    const client = await connectTo(deployment.endpoints[0] ?? '', deployment.login);
    try {
      const received = new Promise<string>((resolve) => client.on('message', (_topic, body) => resolve(String(body))));
      await client.subscribeAsync(TOPIC, { qos: 1 });
      client.publish(TOPIC, text, { qos: 1 });
      return await eventually('the message arrives', () => received.then((body) => body === text), 5_000);
    } catch {
      return false;
    } finally {
      await client.endAsync(true);
    }
  }

  /**
   * Fills the disk, while a client that is already connected publishes. Resolves when nothing more is acknowledged. A new client could not
   * connect: nats-server stores its session first.
   */
  async function publishUntilRefused(): Promise<void> {
    const client = await connectTo(deployment.endpoints[0] ?? '', deployment.login);
    let acknowledged = 0;
    client.on('error', () => undefined);
    client.subscribe(TOPIC, { qos: 1 });
    const sent = setInterval(() => {
      client.publish(TOPIC, PAYLOAD, { qos: 1 }, (error) => (acknowledged += error ? 0 : 1));
    }, 20);
    let last = -1;
    await eventually('nats-server acknowledges nothing more', async () => {
      const isStill = acknowledged === last || !client.connected;
      last = acknowledged;
      await disk.fill();
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      return isStill && acknowledged === last;
    });
    clearInterval(sent);
    await client.endAsync(true);
  }

  it(
    'loses no process of Landlord, and serves clients again by itself',
    async () => {
      await publishUntilRefused();
      for (const api of [landlord.main, landlord.runtime])
        await eventually('it is not ready', async () => (await api.get('/health/ready')).status === 503);
      expect(await ownProcesses()).toEqual(before);

      await disk.free();
      for (const api of [landlord.main, landlord.runtime])
        await eventually('it is ready', async () => (await api.get('/health/ready')).status === 200);
      await eventually('clients publish and receive again', () => passes('after'));

      expect(await ownProcesses()).toEqual(before);
      expect(landlord.output).not.toContain('Stopping');
      expect(landlord.output).not.toContain('stopped (');
      expect((await nodeProcesses(landlord.installation)).map(({ kind }) => kind).sort()).toEqual([
        'agent',
        'broker',
        'gate',
      ]);
    },
    SETUP_MS,
  );
});
