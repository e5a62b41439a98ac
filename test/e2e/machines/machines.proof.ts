import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { MachineCommands } from '@libs/operator';
import {
  eventually,
  nodeProcesses,
  skippedSuite,
  TestCloud,
  TestDeployment,
  testAuthority,
  type TestAuthority,
} from '@libs/testing';
import { writeArtifacts } from '../../../scripts/artifacts/artifacts.mjs';
import { HOST_ADDRESS, JoinedHost, TlsEntrance } from './joined-host.js';

const ZONES = ['us-east-1a', 'us-east-1b', 'us-east-1c'] as const;
const MULTI_AZ = { availability_mode: 'multi_az', managed_tier: 'enterprise' };
/** A lost node is missing in two looks that are 60 seconds apart, before another one takes its place. */
const REPLACED_WITHIN_MS = 240_000;

interface Placed {
  id: number;
  machine: number;
  incarnation: number;
}

const describeOnNetwork =
  HOST_ADDRESS === null ? skippedSuite('this host has only the loopback', 'Connect the host to a network') : describe;

describeOnNetwork('Nodes on machines', () => {
  let cloud: TestCloud;
  let authority: TestAuthority;
  let entrance: TlsEntrance;
  let url: string;
  const hosts: JoinedHost[] = [];

  beforeAll(async () => {
    authority = await testAuthority();
    entrance = await TlsEntrance.open(authority);
    url = `https://${HOST_ADDRESS}:${entrance.port}`;
    const env = { LANDLORD_PROVIDER_AWS: 'machines', AGENT_PUBLIC_URL: url, AGENT_CA: authority.caFile };
    cloud = await TestCloud.start({ env: { ...env, LOCAL_BROKER: 'embedded', NODE_UNREACHABLE_SECONDS: '20' } });
    entrance.leadTo(Number(cloud.supervisorEnv['GATEWAY_PORT']));
    await writeArtifacts(join(cloud.directory, 'artifacts'));
    for (const zone of ZONES) hosts.push(await joinHost(zone));
  });
  afterAll(async () => {
    for (const host of hosts) await host.destroy();
    await cloud.stop();
    entrance.close();
  });

  const joinHost = (zone: string): Promise<JoinedHost> =>
    JoinedHost.join(cloud, zone, { url, caFile: authority.caFile });
  const placed = (deployment: TestDeployment): Promise<Placed[]> =>
    cloud.rows<Placed>(
      `select node_id::int as id, machine_id::int as machine, incarnation from machine_nodes where deployment_id = $1 order by node_id`,
      [deployment.id],
    );
  const open = async (deployment: TestDeployment): Promise<void> => {
    await deployment.permit({ cidr_blocks: [`${HOST_ADDRESS}/32`] });
    for (const [index] of (await deployment.nodes()).entries()) await (await deployment.admits(index)).close();
  };
  const write = async (deployment: TestDeployment, topic: string, texts: readonly string[]): Promise<string[]> => {
    const client = await deployment.admits();
    await client.write(topic, ...texts);
    const read = await client.readAll(topic, texts.length);
    await client.close();
    return read.sort();
  };

  it('run a cluster with each node on a machine of its own, in zones of their own', async () => {
    const deployment = await TestDeployment.paid(cloud, MULTI_AZ);
    await open(deployment);

    expect(await write(deployment, 'first', ['one', 'two'])).toEqual(['one', 'two']);
    expect((await placed(deployment)).map(({ machine }) => machine).sort()).toEqual(hosts.map(({ id }) => id).sort());
    const zones = (await deployment.nodes()).map((node) => (node as unknown as { zone: string }).zone);
    expect(zones.sort()).toEqual([...ZONES]);
    for (const { endpoints } of await deployment.nodes())
      expect(endpoints.tcp).toMatch(new RegExp(`^${HOST_ADDRESS}:`));
    await deployment.delete();

    expect(await placed(deployment)).toEqual([]);
    expect(await nodeProcesses(cloud.installation.installation)).toEqual([]);
    for (const { directory } of hosts) expect(await readdir(join(directory, 'nodes'))).toEqual([]);
  });

  it('continue while their machine agent is killed, and are the same after its start', async () => {
    const deployment = await TestDeployment.free(cloud);
    await open(deployment);
    const [{ machine = 0 } = {}] = await placed(deployment);
    const host = hosts.find(({ id }) => id === machine);
    const before = (await nodeProcesses(cloud.installation.installation)).map(({ pid }) => pid);

    await host?.kill();
    expect(await write(deployment, 'alone', ['one'])).toEqual(['one']);
    host?.start(authority.caFile);
    await host?.reports();

    expect((await nodeProcesses(cloud.installation.installation)).map(({ pid }) => pid)).toEqual(before);
    await deployment.delete();
    expect(await nodeProcesses(cloud.installation.installation)).toEqual([]);
  });

  it('are replaced on another machine after an operator has removed their machine, and not before', async () => {
    const deployment = await TestDeployment.paid(cloud, MULTI_AZ);
    await open(deployment);
    const nodes = await placed(deployment);
    const lost = nodes.at(-1) as Placed;
    const host = hosts.splice(
      hosts.findIndex(({ id }) => id === lost.machine),
      1,
    )[0] as JoinedHost;

    await host.dies();
    await eventually(
      'the deployment is degraded',
      async () => (await deployment.detail()).status === 'degraded' || null,
      60_000,
    );
    hosts.push(await joinHost(host.zone));
    expect((await placed(deployment)).find(({ id }) => id === lost.id)).toEqual(lost);
    await cloud.asOperator((session) => new MachineCommands(session).remove(host.id, host.hostname));
    await eventually(
      'the deployment is whole again',
      async () => (await deployment.detail()).status === 'initialized' || null,
      REPLACED_WITHIN_MS,
    );

    const now = (await placed(deployment)).find(({ id }) => id === lost.id);
    expect(now).toEqual({ id: lost.id, machine: hosts.at(-1)?.id, incarnation: lost.incarnation + 1 });
    expect(await write(deployment, 'after', ['one'])).toEqual(['one']);
    await host.destroy();
    await deployment.delete();
    expect(await nodeProcesses(cloud.installation.installation)).toEqual([]);
  });
});
