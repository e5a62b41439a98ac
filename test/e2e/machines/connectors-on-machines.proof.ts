import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, testAuthority, TestDeployment } from '@libs/testing';
import type { WrittenArtifact } from '../../../scripts/artifacts/artifacts.mjs';
import { HOST_ADDRESS } from './joined-host.js';
import { describeOnNetwork, MachineWorld, ZONES } from './machine-world.js';

interface Instance {
  key: string;
  status: string;
  status_reason: string | null;
}

const STREAMS = [{ stream: 'dice', topics: ['dice'], schema: 'json' }];
const SOURCE = { enabled: true, streams: STREAMS, plugin_config: { interval: '100ms', max_count: 5 } };
const SINK = { enabled: true, streams: STREAMS, plugin_config: { print_payload: true } };

/** The node's programs come from the gateway. It has no checkout. */
describeOnNetwork('Connectors on a machine', () => {
  let world: MachineWorld;
  let deployment: TestDeployment;
  beforeAll(async () => {
    world = await MachineWorld.open(HOST_ADDRESS ?? '', await testAuthority());
    await world.join(ZONES[0]);
    deployment = await TestDeployment.free(world.cloud);
    await world.open(deployment);
  });
  afterAll(() => world.stop());

  const directory = async (): Promise<string> =>
    join(world.hosts[0]?.directory ?? '', 'nodes', String((await deployment.nodes())[0]?.id));
  const artifacts = (): WrittenArtifact[] =>
    (
      JSON.parse(readFileSync(join(world.cloud.directory, 'artifacts/manifest.json'), 'utf8')) as {
        artifacts: WrittenArtifact[];
      }
    ).artifacts;
  const fetched = async (): Promise<string[]> => {
    const names = readdirSync(join(await directory(), 'connectors-program/archives'));
    return artifacts()
      .filter(({ sha256 }) => names.includes(sha256))
      .map(({ name }) => name);
  };
  const configure = async (type: string, key: string, values: object): Promise<string> => {
    const body = { connector_type: type, connector_key: key, instance_key: key };
    await deployment.succeeds(await world.cloud.main().post(`${deployment.path}/connectors/activate`, body));
    const path = `${deployment.live}/configs/connector:${type}:${key}`;
    const saved = await world.cloud.runtime().post(path, { name: key, values, activate: true });
    return (await deployment.outcome(saved)).status;
  };
  const instance = async (key: string): Promise<Instance | undefined> => {
    const { body } = await world.cloud.runtime().get(`${deployment.live}/connectors/instances`);
    return (body as Instance[]).find((one) => one.key === key);
  };

  it('run with the plugins that the node fetches when they are used', async () => {
    expect(readdirSync(await directory())).not.toContain('connectors-program');
    expect(await configure('source', 'random', SOURCE)).toBe('succeeded');
    expect(await fetched()).toEqual(['connector-random-source']);
    expect(await configure('sink', 'stdout', SINK)).toBe('succeeded');
    expect(await fetched()).toEqual(['connector-random-source', 'connector-stdout-sink']);
    const log = (): Promise<string> => directory().then((path) => readFileSync(join(path, 'connectors.log'), 'utf8'));
    const speaker = await deployment.admits();
    await speaker.send('dice', JSON.stringify({ from: 'a client' }));
    await speaker.close();
    await eventually('the sink has the message', async () => (await log()).includes('a client') || null);
  });

  it('fail with the reason when the artifact is another one, until it is repaired', async () => {
    const found = artifacts().find(({ name }) => name === 'connector-http-sink');
    const file = join(world.cloud.directory, 'artifacts', found?.sha256 ?? '');
    const right = readFileSync(file);
    writeFileSync(file, Buffer.alloc(right.length));
    const values = { enabled: true, streams: STREAMS, plugin_config: { url: 'https://192.0.2.1/' } };

    expect(await configure('sink', 'http', values)).toBe('failed');
    expect(await instance('http')).toMatchObject({
      status: 'failed',
      status_reason: expect.stringMatching(/the artifact of the sink http is damaged: .* another sha256/),
    });
    expect((await instance('stdout'))?.status).toBe('active');
    await (await deployment.admits()).close();
    writeFileSync(file, right);

    await eventually('the sink works', async () => (await instance('http'))?.status === 'active', 180_000);
  });
});
