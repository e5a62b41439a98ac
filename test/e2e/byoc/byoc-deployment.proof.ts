import { TestCloud, type ApiAnswer } from '@libs/testing';
import mqtt from 'mqtt';

const ACCOUNT = '123456789012';

/**
 * The local driver plays the account of the customer: the same workflows, nodes and broker as for a managed deployment.
 */
describe('A deployment in an account of the customer', () => {
  let cloud: TestCloud;
  let path: string;
  let id: string;

  beforeAll(async () => {
    cloud = await TestCloud.borrow();
    const setup = { cloud: 'aws', region: 'eu-west-1' };
    const base = `${cloud.environment}/deployments/byoc`;
    const { body } = await cloud.main().post(`${base}/setup`, setup);
    const aws = {
      account_id: ACCOUNT,
      identity_arn: `arn:aws:iam::${ACCOUNT}:role/landlord`,
      external_id: body.external_id,
      vpc_id: 'vpc-0123456789abcdef0',
      vpc_cidr: '172.20.0.0/16',
    };
    const accepted = await cloud
      .main()
      .post(base, { name: 'theirs', ...setup, tier: 'small', cluster: 'cluster', aws });
    expect(await ended(accepted)).toBe('succeeded');
    path = accepted.headers.get('location') ?? '';
    id = accepted.headers.get('ld-deployment') ?? '';
  });
  afterAll(() => cloud.stop());

  const ended = async (accepted: ApiAnswer): Promise<string> => {
    const operation = accepted.headers.get('ld-operation');
    return (await cloud.main().get(`${cloud.tenant}/operations/${operation}?wait=60`)).body.status;
  };
  const runtime = async (): Promise<any> => (await cloud.runtime().get(`/deployments/${id}`)).body;

  it('runs on three nodes, and shows its account and network', async () => {
    const detail = await runtime();

    expect(detail).toMatchObject({
      status: 'initialized',
      variant: 'byoc',
      aws: { account_id: ACCOUNT, network_id: expect.any(String) },
      nodes: Array(3).fill({ status: 'running', driver: 'embedded', variant: 'small' }),
    });
    expect(detail.cidr).toMatch(/^172\.20\.\d+\.0\/24$/);
  });

  it('is metered at price zero', async () => {
    const rows = await cloud.rows('select monthly_compute_usd, monthly_storage_usd from metering_intervals');

    expect(rows).toEqual([{ monthly_compute_usd: '0.00', monthly_storage_usd: '0.00' }]);
    expect((await cloud.main().get(path)).body).not.toHaveProperty('monthly_base');
  });

  it('has a description, a spend limit and a retention limit like any other deployment', async () => {
    expect((await cloud.main().put(path, { description: 'in our account' })).body.description).toBe('in our account');
    expect((await cloud.main().put(`${path}/spend_limit`, { spend_limit: 5 })).body.spend_limit).toBe(5);
    const longer = await cloud.main().put(`${path}/retention`, { retention: { telemetry_days: 8 } });
    expect(longer).toBeProblem('retention_above_maximum', { limit: 7 });
  });

  it('can be upgraded to a larger tier, but has no managed tier', async () => {
    const terms = await cloud.main().post(`${path}/upgrade`, { managed_tier: 'standard' });
    expect(terms).toBeProblem('validation_failed', { status: 400 });
    expect(terms.body.field_issues).toMatchObject([{ path: '/managed_tier', code: 'not_managed' }]);

    expect(await ended(await cloud.main().post(`${path}/upgrade`, { tier: 'medium' }))).toBe('succeeded');

    expect((await cloud.main().get(path)).body).toMatchObject({ tier: 'medium', variant: 'byoc' });
    expect((await runtime()).nodes).toMatchObject(Array(3).fill({ status: 'running', variant: 'medium' }));
  });

  it('deletes the data of the account together with the deployment', async () => {
    expect(await ended(await cloud.main().delete(path))).toBe('succeeded');

    expect(await cloud.rows('select 1 from deployment_accounts')).toEqual([]);
    expect(await cloud.nodeProcesses()).toEqual([]);
    expect(await cloud.main().get(path)).toBeProblem('deployment_not_found');
  });

  it('serves MQTT clients: one Free node in a project of Google Cloud', async () => {
    const gcp = {
      project_id: 'my-project',
      service_account_email: 'landlord-byoc@my-project.iam.gserviceaccount.com',
      vpc_name: 'default',
    };
    const order = { name: 'small', cloud: 'gcp', region: 'us-central1', tier: 'free', cluster: 'standalone', gcp };
    const accepted = await cloud.main().post(`${cloud.environment}/deployments/byoc`, order);
    expect(await ended(accepted)).toBe('succeeded');
    const at = `/deployments/${accepted.headers.get('ld-deployment')}`;
    const { body: detail } = await cloud.runtime().get(at);
    const { body: login } = await cloud.runtime().get(`${at}/credentials`);

    const client = await mqtt.connectAsync(`mqtt://${detail.nodes[0].endpoints.tcp}`, { ...login, reconnectPeriod: 0 });
    const received = new Promise<string>((resolve) => client.once('message', (_, text) => resolve(text.toString())));
    await client.subscribeAsync('greetings', { qos: 1 });
    await client.publishAsync('greetings', 'hello', { qos: 1 });

    expect(await received).toBe('hello');
    await client.endAsync(true);
    expect(detail.gcp).toMatchObject({ project_id: 'my-project' });
    const upgrade = await cloud.main().post(`${accepted.headers.get('location')}/upgrade`, { tier: 'small' });
    expect(upgrade).toBeProblem('tier_feature_unsupported');
  });
});
