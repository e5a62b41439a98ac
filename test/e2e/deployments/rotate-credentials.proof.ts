import { eventually, SignInRefused, TestCloud, TestDeployment, type Login } from '@libs/testing';

/** Rotation on a real node, as a client of the broker sees it. */
describe('Rotating the credentials of a deployment (C-21.2, C-21.7, C-21.8)', () => {
  let cloud: TestCloud;
  let deployment: TestDeployment;
  beforeAll(async () => {
    cloud = await TestCloud.borrow();
    deployment = await TestDeployment.free(cloud);
    await deployment.openToClients();
  });
  afterAll(() => cloud.stop());

  const rotate = (body?: object) => cloud.runtime().post(`${deployment.live}/credentials/rotate`, body);
  const shown = async () => (await cloud.runtime().get(`${deployment.live}/credentials`)).body;
  const isRefused = (login: Login): Promise<boolean> =>
    deployment.client(0, { login }).then(
      (client) => client.close().then(() => false),
      (error: unknown) => error instanceof SignInRefused,
    );
  const pid = async () => ((await deployment.detail()).nodes[0] as { runtimes?: { pid: number }[] }).runtimes?.[0]?.pid;

  it('lets clients use both passwords for five minutes, and interrupts nobody', async () => {
    const before = await deployment.login();
    const client = await deployment.client();
    const broker = await pid();

    const accepted = await rotate();
    const asked = Date.now();
    await deployment.succeeds(accepted);

    const after = await shown();
    const operation_id = Number(accepted.headers.get('ld-operation'));
    expect(accepted.status).toBe(202);
    expect(accepted.body).toEqual({ deployment_id: deployment.id, operation_id });
    expect(after.username).toBe(before.username);
    expect(after.password).not.toBe(before.password);
    expect(JSON.stringify(after)).not.toContain(before.password);
    expect(Date.parse(after.previous_until) - asked).toBeGreaterThan(299_000);
    expect(Date.parse(after.previous_until) - Date.now()).toBeLessThanOrEqual(301_000);
    for (const login of [before, after]) await (await deployment.client(0, { login })).close();
    expect(await isRefused({ ...before, password: 'guess' })).toBe(true);
    await client.write('still', 'here');
    expect([client.isCut, await pid()]).toEqual([false, broker]);
    await client.close();
    const recorded = 'select type from %s where deployment_id = $1 and type = $2';
    for (const table of ['audit_entries', 'outbox'])
      expect(
        await cloud.rows(recorded.replace('%s', table), [deployment.id, 'deployment_secrets_rotated']),
      ).toHaveLength(1);
  });

  it('refuses the old password after the overlap, disconnects its clients, and forgets the password', async () => {
    const before = await deployment.login();
    const { cut } = await deployment.client();

    await deployment.succeeds(await rotate({ overlap_seconds: 2 }));

    const after = await deployment.login();
    const client = await deployment.client(0, { login: after });
    await cut;
    expect(await isRefused(before)).toBe(true);
    expect(await shown()).toEqual({ ...after, previous_until: null });
    await client.write('still', 'here again');
    await client.close();
    const kept = 'select 1 from deployment_credentials where deployment_id = $1 and previous_password is not null';
    await eventually('the old password is deleted', async () => (await cloud.rows(kept, [deployment.id])).length === 0);
  });

  it('disconnects clients with the old password at once without an overlap', async () => {
    const before = await deployment.login();
    const { cut } = await deployment.client();

    const accepted = await rotate({ overlap_seconds: 0 });
    await cut;
    await deployment.succeeds(accepted);

    expect(await isRefused(before)).toBe(true);
    expect(await shown()).toMatchObject({ previous_until: null });
    await (await deployment.client()).close();
  });

  it.each([3_601, -1, '1', 1.5, null])('refuses the overlap %j', async (overlap_seconds) => {
    const before = await deployment.login();

    expect(await rotate({ overlap_seconds })).toBeProblem('validation_failed', { status: 400 });

    expect(await deployment.login()).toEqual(before);
  });

  it('takes no password from a request, so nobody can bring an old one back', async () => {
    const before = await deployment.login();

    expect(await rotate({ overlap_seconds: 0, password: before.password })).toBeProblem('validation_failed');

    expect(await deployment.login()).toEqual(before);
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
