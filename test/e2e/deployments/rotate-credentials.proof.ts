import { TestCloud, TestDeployment } from '@libs/testing';

/** Rotation on a real node, as a client of the broker sees it. */
describe('Rotating the credentials of a deployment', () => {
  let cloud: TestCloud;
  let deployment: TestDeployment;
  beforeAll(async () => {
    cloud = await TestCloud.borrow();
    deployment = await TestDeployment.free(cloud);
  });
  afterAll(() => cloud.stop());

  const rotate = () => cloud.runtime().post(`${deployment.live}/credentials/rotate`);

  it('disconnects clients with the old password, and admits clients with the new one', async () => {
    const before = await deployment.login();
    const client = await deployment.connect();
    const cut = new Promise((resolve) => client.once('close', () => resolve(true)));

    const accepted = await rotate();
    await cut;
    await deployment.succeeds(accepted);

    const after = await deployment.login();
    const operation_id = Number(accepted.headers.get('ld-operation'));
    expect(accepted.status).toBe(202);
    expect(accepted.body).toEqual({ deployment_id: deployment.id, operation_id });
    expect(after.username).toBe(before.username);
    expect(after.password).not.toBe(before.password);
    await expect(deployment.connect(0, before)).rejects.toThrow(/Not authorized|Bad username or password/i);
    await (await deployment.connect()).endAsync(true);
    await client.endAsync(true);
    const recorded = 'select type from %s where deployment_id = $1 and type = $2';
    for (const table of ['audit_entries', 'outbox'])
      expect(
        await cloud.rows(recorded.replace('%s', table), [deployment.id, 'deployment_secrets_rotated']),
      ).toHaveLength(1);
  });

  it('is refused during another change of the deployment, and while the deployment is stopped', async () => {
    const first = await rotate();
    const second = await rotate();

    expect(second).toBeProblem('state_conflict', { operation_id: Number(first.headers.get('ld-operation')) });
    await deployment.succeeds(first);
    await cloud.rows(`update deployment_runtimes set status = 'stopped' where deployment_id = $1`, [deployment.id]);
    expect(await rotate()).toBeProblem('state_conflict', { state: 'stopped' });
  });
});
