import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithIggyConnectors, eventually, testAuthority, TestDeployment } from '@libs/testing';
import { HOST_ADDRESS } from './joined-host.js';
import { MachineConnectors } from './machine-connectors.js';
import { describeOnNetwork, IGGY, MachineWorld, ZONES } from './machine-world.js';

/** A refused artifact is tried again after at most a minute, and the report follows. */
const REPAIRED_WITHIN_MS = 120_000;
const STREAMS = [{ stream: 'dice', topics: ['dice'], schema: 'json' }];
const SOURCE = { enabled: true, streams: STREAMS, plugin_config: { interval: '100ms', messages_range: [1, 2] } };
const SINK = { enabled: true, streams: STREAMS, plugin_config: { print_payload: true } };

/** The programs of the nodes come from the gateway. The nodes have no checkout. */
describeOnNetwork('Connectors on a machine', () => {
  let world: MachineWorld;
  let deployment: TestDeployment;
  let connectors: MachineConnectors;
  beforeAll(async () => {
    world = await MachineWorld.open(HOST_ADDRESS ?? '', await testAuthority());
    await world.join(ZONES[0]);
    deployment = await TestDeployment.free(world.cloud);
    connectors = new MachineConnectors(world, deployment);
  });
  afterAll(async () => {
    // The processes of a node would write into the directory of its host while the host is deleted.
    await deployment.delete();
    await world.stop();
  });

  it('run with the plugins that the node fetches when they are used', async () => {
    await world.open(deployment);
    expect(readdirSync(await connectors.directory())).not.toContain('connectors-program');

    expect(await connectors.add('source', 'random', SOURCE)).toBe('succeeded');
    expect(await connectors.fetched()).toEqual(['connector-random-source']);
    expect(await connectors.add('sink', 'stdout', SINK)).toBe('succeeded');
    expect(await connectors.fetched()).toEqual(['connector-random-source', 'connector-stdout-sink']);
    await eventually('the sink prints messages of the source', async () =>
      (await connectors.log()).includes('"payload":"{'),
    );
  });

  it('fail with the reason when the artifact has other bytes, until the artifact is repaired', async () => {
    const { sha256 = '' } = connectors.artifacts.find(({ name }) => name === 'connector-http-sink') ?? {};
    const file = join(world.cloud.directory, 'artifacts', sha256);
    const right = readFileSync(file);
    writeFileSync(file, Buffer.alloc(right.length));
    // Nobody writes to this topic, so the sink sends nothing.
    const streams = [{ stream: 'quiet', topics: ['quiet'], schema: 'json' }];
    const values = { enabled: true, streams, plugin_config: { url: 'https://example.com/' } };

    expect(await connectors.add('sink', 'http', values)).toBe('failed');
    expect(await connectors.instance('http')).toMatchObject({
      status: 'failed',
      status_reason: expect.stringMatching(/^the artifact of the sink http is damaged: .* another sha256/),
    });
    expect((await connectors.instance('stdout'))?.status).toBe('active');
    await (await deployment.admits()).close();
    writeFileSync(file, right);

    const isActive = async () => (await connectors.instance('http'))?.status === 'active';
    await eventually('the sink works', isActive, REPAIRED_WITHIN_MS);
  });
});

describeOnNetwork('Connectors of iggy on a machine', () => {
  describeWithIggyConnectors('with an artifact of iggy', () => {
    let world: MachineWorld;
    beforeAll(async () => {
      world = await MachineWorld.open(HOST_ADDRESS ?? '', await testAuthority(), IGGY);
      await world.join(ZONES[0]);
    });
    afterAll(() => world.stop());

    it('run by the runtime and the plugins in the artifact of iggy', async () => {
      const deployment = await TestDeployment.free(world.cloud);
      const connectors = new MachineConnectors(world, deployment);

      expect(await connectors.add('source', 'random', SOURCE)).toBe('succeeded');
      await eventually('the source has moved messages', async () => {
        const seen = await connectors.instance('random');
        return seen?.status === 'active' && (seen.metrics?.moved ?? 0) > 0;
      });
      expect(await connectors.fetched()).toEqual(['connectors-store']);
      const bootstrap = JSON.parse(readFileSync(join(await connectors.directory(), 'bootstrap.json'), 'utf8')) as {
        binaries: Record<string, string>;
      };
      const programs = join(world.hosts[0]?.directory ?? '', 'programs');
      expect(Object.keys(bootstrap.binaries)).toContain('iggy_connectors');
      for (const path of Object.values(bootstrap.binaries)) expect(path.startsWith(programs)).toBe(true);
      await deployment.delete();
    });
  });
});
