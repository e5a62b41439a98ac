import { TestCloud, TestDeployment, testAuthority } from '@libs/testing';
import { TlsEntrance } from '../machines/joined-host.js';

/** The gateway and the worker of a Supervisor can be on different hosts. Then the agents of local nodes use TLS too. */
describe('A local node', () => {
  let cloud: TestCloud;
  let entrance: TlsEntrance;

  beforeAll(async () => {
    const authority = await testAuthority();
    entrance = await TlsEntrance.open(authority);
    const AGENT_PUBLIC_URL = `https://localhost:${entrance.port}`;
    cloud = await TestCloud.start({ env: { AGENT_PUBLIC_URL, AGENT_CA: authority.caFile } });
    entrance.leadTo(Number(cloud.supervisorEnv['GATEWAY_PORT']));
  });
  afterAll(async () => {
    await cloud.stop();
    entrance.close();
  });

  it('trusts the authority of the gateway that AGENT_CA names', async () => {
    const deployment = await TestDeployment.free(cloud);

    expect((await deployment.nodes()).map(({ status }) => status)).toEqual(['running']);
  });
});
