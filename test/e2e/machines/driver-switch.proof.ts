import { join } from 'node:path';
import { TestCloud, TestDeployment, eventually, nodeProcesses, testAuthority } from '@libs/testing';
import { writeArtifacts } from '../../../scripts/artifacts/artifacts.mjs';
import { HOST_ADDRESS, JoinedHost, TlsEntrance } from './joined-host.js';
import { describeOnNetwork } from './machine-world.js';

describeOnNetwork('A switch of the driver from local to machines', () => {
  let cloud: TestCloud;
  let entrance: TlsEntrance;
  let host: JoinedHost | undefined;
  beforeAll(async () => {
    cloud = await TestCloud.start({ env: { LOCAL_BROKER: 'embedded' } });
  });
  afterAll(async () => {
    await host?.destroy();
    await cloud.stop();
    entrance.close();
  });

  const processes = async (): Promise<number[]> =>
    (await nodeProcesses(cloud.installation.installation)).map(({ pid }) => pid).sort();
  const driversOf = async ({ id }: TestDeployment): Promise<string[]> => {
    const rows = await cloud.rows<{ driver: string }>(
      // Names are outside of clouds.
      `select distinct driver from cloud_resources where deployment_id = $1 and kind <> 'dns_record'`,
      [id],
    );
    return rows.map(({ driver }) => driver);
  };
  const exchange = async (deployment: TestDeployment, text: string): Promise<string[]> => {
    const client = await deployment.admits();
    await client.write(text, text);
    const read = await client.readAll(text, 1);
    await client.close();
    return read;
  };

  it('leaves living deployments with their processes and their driver until they are deleted', async () => {
    const living = [];
    for (let i = 0; i < 3; i += 1) living.push(await TestDeployment.paid(cloud));
    for (const deployment of living) await deployment.permit({ cidr_blocks: ['127.0.0.1/32'] });
    const before = await processes();

    const authority = await testAuthority();
    entrance = await TlsEntrance.open(authority);
    const url = `https://${HOST_ADDRESS}:${entrance.port}`;
    await cloud.supervisor.stop();
    Object.assign(cloud.supervisorEnv, {
      ...{ LANDLORD_PROVIDER_AWS: 'machines', AGENT_PUBLIC_URL: url, AGENT_CA: authority.caFile },
    });
    await cloud.supervisor.start();
    entrance.leadTo(Number(cloud.supervisorEnv['GATEWAY_PORT']));
    await writeArtifacts(join(cloud.directory, 'artifacts'));
    host = await JoinedHost.join(cloud, 'us-east-1a', { url, caFile: authority.caFile });
    const fresh = await TestDeployment.free(cloud);

    expect(await driversOf(fresh)).toEqual(['machines']);
    expect((await host.processes()).length).toBeGreaterThan(0);
    expect(await exchange(fresh, 'fresh')).toEqual(['fresh']);
    await fresh.delete();
    expect(await host.processes()).toEqual([]);
    expect(await processes()).toEqual(before);
    for (const deployment of living) {
      expect((await deployment.detail()).status).toBe('initialized');
      expect(await driversOf(deployment)).toEqual(['local']);
      expect(await exchange(deployment, 'living')).toEqual(['living']);
      await deployment.delete();
    }

    expect(await processes()).toEqual([]);
    await eventually('nothing of them is left', async () => {
      const rows = await cloud.rows(`select 1 from cloud_resources c join deployment_runtimes r using (deployment_id)
                                      where r.deleted_at is null`);
      return rows.length === 0;
    });
    expect(await cloud.rows(`select * from incidents where closed_at is null`)).toEqual([]);
  });
});
