import { TestCloud } from '@libs/testing';
import mqtt from 'mqtt';

type Login = { username: string; password: string };

/** Rotation on a real node, as a client of the broker sees it. */
describe('Rotating the credentials of a deployment', () => {
  let cloud: TestCloud;
  let id: number;
  beforeAll(async () => {
    cloud = await TestCloud.start();
    id = await create();
  });
  afterAll(() => cloud.stop());

  const succeeds = async (operation: string | null): Promise<void> => {
    const { body } = await cloud.main().get(`${cloud.tenant}/operations/${operation}?wait=50`);
    expect(body).toMatchObject({ status: 'succeeded', progress: 100 });
  };
  const create = async (): Promise<number> => {
    const shape = { cloud: 'aws', region: 'us-east-1' };
    const accepted = await cloud.main().post(`${cloud.division}/deployments/starter`, shape);
    await succeeds(accepted.headers.get('ld-operation'));
    return Number(accepted.headers.get('ld-deployment'));
  };
  const login = async (): Promise<Login> => (await cloud.runtime().get(`/deployments/${id}/credentials`)).body as Login;
  const connect = async (as: Login): Promise<mqtt.MqttClient> => {
    const { body } = await cloud.runtime().get(`/deployments/${id}`);
    return mqtt.connectAsync(`mqtt://${body.nodes[0].endpoints.tcp}`, { ...as, reconnectPeriod: 0 });
  };

  it('cuts whoever used the old password, and lets in who has the new one', async () => {
    const before = await login();
    const client = await connect(before);
    const cut = new Promise((resolve) => client.once('close', () => resolve(true)));

    const accepted = await cloud.runtime().post(`/deployments/${id}/credentials/rotate`, {});
    await cut;
    await succeeds(accepted.headers.get('ld-operation'));

    const after = await login();
    expect(accepted.status).toBe(202);
    expect(accepted.body).toEqual({
      deployment_id: id,
      operation_id: Number(accepted.headers.get('ld-operation')),
    });
    expect(after.username).toBe(before.username);
    expect(after.password).not.toBe(before.password);
    await expect(connect(before)).rejects.toThrow(/Not authorized|Bad username or password/i);
    await (await connect(after)).endAsync(true);
    await client.endAsync(true);
    const told = 'select type from %s where deployment_id = $1 and type = $2';
    for (const table of ['audit_entries', 'outbox'])
      expect(await cloud.rows(told.replace('%s', table), [id, 'deployment_secrets_rotated'])).toHaveLength(1);
  });

  it('is refused while something else changes the deployment, and before it serves', async () => {
    const path = `/deployments/${id}/credentials/rotate`;

    const first = await cloud.runtime().post(path, {});
    const second = await cloud.runtime().post(path, {});

    expect(second).toBeProblem('state_conflict', { operation_id: Number(first.headers.get('ld-operation')) });
    await succeeds(first.headers.get('ld-operation'));
    await cloud.rows(`update deployment_runtimes set status = 'stopped' where deployment_id = $1`, [id]);
    expect(await cloud.runtime().post(path, {})).toBeProblem('state_conflict', { state: 'stopped' });
  });
});
