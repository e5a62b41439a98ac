import { TestCloud } from '@libs/testing';
import { CommandLine } from '../command-line.js';
import { McpSession } from '../mcp/mcp-session.js';
import { makeEightPlaces, type PlacedDeployment } from './eight-places.js';

/** The tools that take a deployment. */
const OF_A_DEPLOYMENT = ['deployment', 'connection', 'why_unhealthy', 'metrics', 'logs', 'config', 'operations'];

describe('landlord mcp in an organization of 2 × 2 × 2 places', () => {
  let cloud: TestCloud;
  let deployments: PlacedDeployment[];
  let session: McpSession;
  beforeAll(async () => {
    cloud = await TestCloud.borrow();
    deployments = await makeEightPlaces(cloud);
    session = await McpSession.open(CommandLine.for(cloud), '--allow-writes');
  }, 300_000);
  afterAll(async () => {
    await session.close();
    await cloud.stop();
  });

  const wallet = (): PlacedDeployment => deployments.find(({ name }) => name === 'wallet') as PlacedDeployment;

  it('finds every deployment, and each division with its environments', async () => {
    const answer = await session.data<{ found: { items: { id: number }[] } }>('find_deployments', { results: 100 });
    const text = JSON.stringify(await session.data('tree'));

    expect(answer.found.items.map(({ id }) => id).sort((a, b) => a - b)).toEqual(deployments.map(({ id }) => id));
    for (const { division, environment, name } of deployments)
      for (const level of [division, environment, name]) expect(text).toContain(`"name":"${level}"`);
  });

  it.each(OF_A_DEPLOYMENT)('%s takes an id or a unique name, and asks for no level above', async (tool) => {
    const [byName, byId] = await Promise.all(
      ['wallet', String(wallet().id)].map((deployment) => session.call(tool, { deployment })),
    );

    expect([byName?.isError ?? false, byId?.isError ?? false]).toEqual([false, false]);
    expect(await session.failure(tool, { deployment: 'no-such' })).toContain('no-such');
  });

  it.each(OF_A_DEPLOYMENT)('%s names the four deployments of an ambiguous name', async (tool) => {
    const refusal = await session.failure(tool, { deployment: 'orders' });

    for (const { id, name } of deployments) expect(new RegExp(`\\b${id}\\b`).test(refusal)).toBe(name === 'orders');
  });

  it('creates nothing in a place that it has chosen itself', async () => {
    const refusal = await session.failure('create_starter', {
      ...{ deployment_name: 'guess', cloud: 'aws', region: 'us-east-1', idempotency_key: 'a-guess-of-a-place' },
    });

    expect(refusal).toMatch(/payments[^]*billing|billing[^]*payments/);
    expect(JSON.stringify(await session.data('tree'))).not.toContain('guess');
  });
});
