import { existsSync, readdirSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { BROKER_OF_THE_RUN, openBrokerClient, TestCloud, type Login } from '@libs/testing';

describe('A Free deployment, from the request to the deletion', () => {
  let cloud: TestCloud;
  const starter = { cloud: 'aws', region: 'us-east-1' };

  beforeAll(async () => {
    cloud = await TestCloud.borrow();
  });
  afterAll(() => cloud.stop());

  it('serves an ordinary client of its broker with the credentials from the API', async () => {
    const { deployment } = await create(cloud, starter);

    const { body: detail } = await cloud.runtime().get(`/deployments/${deployment}`);
    const received = await roundTrip(detail.nodes[0].endpoints.tcp, await credentials(cloud, deployment));

    expect(received).toEqual(['hello']);
    expect(detail).toMatchObject({
      status: 'initialized',
      nodes: [{ status: 'running', driver: BROKER_OF_THE_RUN, replication: 'none' }],
    });
    await remove(cloud, deployment);
  });

  it('can be read in its transient state before the response 202', async () => {
    const accepted = await cloud.main().post(`${cloud.division}/deployments/starter`, starter);
    const deployment = Number(accepted.headers.get('ld-deployment'));

    const main = await cloud.main().get(`${cloud.environment}/deployments/${deployment}`);
    const runtime = await cloud.runtime().get(`/deployments/${deployment}`);

    expect(accepted.status).toBe(202);
    expect(main.body).toMatchObject({
      id: deployment,
      tier: 'free',
      supervisor_url: cloud.supervisor.url,
      nodes_count: 1,
    });
    expect(runtime.body.nodes).toHaveLength(1);
    await ended(cloud, accepted.headers.get('ld-operation'));
    await remove(cloud, deployment);
  });

  it('leaves no process, file or open port after its deletion', async () => {
    const { deployment } = await create(cloud, starter);
    const { body } = await cloud.runtime().get(`/deployments/${deployment}`);

    await remove(cloud, deployment);

    expect(await cloud.nodeProcesses()).toEqual([]);
    expect(readdirSync(join(cloud.directory, 'nodes'))).toEqual([]);
    expect(existsSync(join(cloud.directory, 'nodes', String(body.nodes[0].id)))).toBe(false);
    expect(await isOpen(body.nodes[0].endpoints.tcp)).toBe(false);
    for (const table of ['nodes', 'node_ports', 'node_documents', 'access_rules', 'configs', 'deployment_credentials'])
      expect(await cloud.rows(`select * from ${table}`)).toEqual([]);
    expect(await cloud.main().get(`${cloud.environment}/deployments/${deployment}`)).toBeProblem(
      'deployment_not_found',
    );
    expect(await cloud.runtime().get(`/deployments/${deployment}`)).toBeProblem('deployment_not_found');
    expect((await cloud.main().get(`${cloud.environment}/deployments`)).body.total_results).toBe(0);
  });

  it('has each audit entry and each event once, with the author', async () => {
    const { deployment } = await create(cloud, { ...starter, deployment_name: 'audited' });
    await remove(cloud, deployment);

    const entries = await cloud.rows<{ type: string; author_name: string | null; api_key_name: string | null }>(
      'select type, author_name, api_key_name from audit_entries where deployment_id = $1 order by id',
      [deployment],
    );
    const events = await cloud.rows('select type from outbox where deployment_id = $1 order by id', [deployment]);

    expect(entries).toEqual([
      { type: 'deployment_created', author_name: 'Owner', api_key_name: 'bootstrap' },
      { type: 'deployment_initialized', author_name: null, api_key_name: null },
      { type: 'deployment_deleted', author_name: 'Owner', api_key_name: 'bootstrap' },
    ]);
    expect(events.map(({ type }) => type)).toEqual([
      'deployment_created',
      'deployment_initialized',
      'deployment_deleted',
    ]);
  });
});

async function create(cloud: TestCloud, body: object): Promise<{ deployment: number }> {
  const accepted = await cloud.main().post(`${cloud.division}/deployments/starter`, body);
  expect(accepted.status).toBe(202);
  await ended(cloud, accepted.headers.get('ld-operation'));
  return { deployment: Number(accepted.headers.get('ld-deployment')) };
}

async function remove(cloud: TestCloud, deployment: number): Promise<void> {
  const accepted = await cloud.main().delete(`${cloud.environment}/deployments/${deployment}`);
  expect(accepted.status).toBe(202);
  await ended(cloud, accepted.headers.get('ld-operation'));
}

async function ended(cloud: TestCloud, operation: string | null): Promise<void> {
  const { body } = await cloud.main().get(`${cloud.tenant}/operations/${operation}?wait=50`);
  expect(body).toMatchObject({ status: 'succeeded', progress: 100 });
}

async function credentials(cloud: TestCloud, deployment: number): Promise<Login> {
  const { body } = await cloud.runtime().get(`/deployments/${deployment}/credentials`);
  return body as Login;
}

async function roundTrip(endpoint: string, login: Login): Promise<string[]> {
  const client = await openBrokerClient(BROKER_OF_THE_RUN, { endpoint, login, over: 'tcp' });
  try {
    await client.write('greetings', 'hello');
    return await client.readAll('greetings', 1);
  } finally {
    await client.close();
  }
}

async function isOpen(endpoint: string): Promise<boolean> {
  const [host = '', port = ''] = endpoint.split(':');
  return new Promise((resolve) => {
    const socket = createConnection({ host, port: Number(port) });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
