import { jest } from '@jest/globals';
import { eventually, PROCESSES_OF_NODE, TestCloud, type ApiAnswer } from '@libs/testing';

// A step of a killed worker waits until its lease expires after 15 s. On a busy machine this can happen more than once.
jest.setTimeout(180_000);

const starter = { cloud: 'aws', region: 'us-east-1' };
const ENDED = ['succeeded', 'failed', 'cancelled'];

/** kill -9 during a creation: the operation still ends, and no resource is lost or exists twice. */
describe('kill -9 during provisioning', () => {
  let cloud: TestCloud;

  beforeEach(async () => {
    cloud = await TestCloud.start({ ownDatabase: true });
  });
  afterEach(() => cloud.stop());

  it('of the supervisor: a new process continues at the same step', async () => {
    const operation = await begin(cloud, 'deploying_nodes');

    await cloud.supervisor.kill();
    await cloud.supervisor.start();

    await expectOneOfEverything(cloud, operation);
  });

  it('of the main API after its 202: the operation ends without it', async () => {
    const accepted = await cloud.main().post(`${cloud.division}/deployments/starter`, starter);

    await cloud.mainApi.kill();
    await eventually('it is initialized', async () => (await statusOf(cloud)) === 'initialized', 60_000);
    await cloud.mainApi.start();

    await expectOneOfEverything(cloud, Number(accepted.headers.get('ld-operation')));
  });

  it('of the agent: it is restarted and continues', async () => {
    const operation = await begin(cloud, 'deploying_nodes');
    const [agent] = await eventually('the agent runs', async () => {
      const found = (await cloud.nodeProcesses()).filter(({ kind }) => kind === 'agent');
      return found.length > 0 ? found : null;
    });

    process.kill(agent?.pid ?? 0, 'SIGKILL');

    await expectOneOfEverything(cloud, operation);
  });

  it('of PostgreSQL: every process reconnects and continues', async () => {
    const operation = await begin(cloud, 'creating_subnet');

    await cloud.crashDatabase();

    await expectOneOfEverything(cloud, operation);
  });
});

/** Requests a deployment and waits until its workflow reaches `step`. */
async function begin(cloud: TestCloud, step: string): Promise<number> {
  const accepted = await cloud.main().post(`${cloud.division}/deployments/starter`, starter);
  const operation = Number(accepted.headers.get('ld-operation'));
  await eventually(`it comes to ${step}`, async () => {
    const rows = await cloud.rows(
      `select 1 from operations where id = $1 and step = $2 union all select 1 from operation_steps where operation_id = $1 and name = $2`,
      [operation, step],
    );
    return rows.length > 0;
  });
  return operation;
}

async function expectOneOfEverything(cloud: TestCloud, operation: number): Promise<void> {
  let last: ApiAnswer | null = null;
  const answer = await eventually(
    () => `the operation ends; the last answer was ${last?.status} ${JSON.stringify(last?.body)}`,
    async () => {
      last = await cloud.main().get(`${cloud.tenant}/operations/${operation}?wait=5`);
      return ENDED.includes(last.body?.status) ? last.body : null;
    },
    90_000,
  );
  expect(answer).toMatchObject({ status: 'succeeded' });
  expect(answer.steps.map(({ name }: { name: string }) => name).at(-1)).toBe('initialized');
  expect(await statusOf(cloud)).toBe('initialized');
  await eventually(
    'the processes of one node live',
    async () => String(await kindsOfProcesses(cloud)) === String(PROCESSES_OF_NODE),
  );
  expect(await cloud.rows('select 1 from nodes')).toHaveLength(1);
  const types = await cloud.rows('select type from audit_entries order by id');
  expect(types.map(({ type }) => type)).toEqual(['deployment_created', 'deployment_initialized']);
  expect(await cloud.rows('select 1 from outbox')).toHaveLength(2);
  expect(await cloud.rows('select 1 from metering_intervals')).toHaveLength(1);
}

/** A second agent of a node exits as soon as it detects the first one. This can happen shortly after this check. */
async function kindsOfProcesses(cloud: TestCloud): Promise<string[]> {
  return (await cloud.nodeProcesses()).map(({ kind }) => kind).sort();
}

async function statusOf(cloud: TestCloud): Promise<string> {
  const [row] = await cloud.rows<{ status: string }>('select status from deployment_runtimes');
  return row?.status ?? '';
}
