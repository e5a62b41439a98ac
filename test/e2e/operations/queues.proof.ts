import { describeWithRedis, eventually, TestCloud, type TestQueue } from '@libs/testing';

const starter = { cloud: 'aws', region: 'us-east-1' };

/** A creation, a kill of its worker and the deletion: the result is the same with any queue. */
function tellsTheSameStory(queue: TestQueue): void {
  let cloud: TestCloud;

  beforeAll(async () => {
    cloud = await TestCloud.start({ queue });
  });
  afterAll(() => cloud.stop());

  it('finishes a started operation once, after its supervisor was killed', async () => {
    const { body } = await cloud.main().post(`${cloud.division}/deployments/starter`, starter);
    await eventually('it is under way', async () => {
      const steps = await cloud.rows('select 1 from operation_steps where operation_id = $1', [body.operation_id]);
      return steps.length >= 2;
    });

    await cloud.supervisor.kill();
    await cloud.supervisor.start();

    const ended = await cloud.main().get(`${cloud.tenant}/operations/${body.operation_id}?wait=60`);
    expect(ended.body).toMatchObject({ status: 'succeeded', progress: 100 });
    await eventually('one agent and one broker live', async () => (await cloud.nodeProcesses()).length === 2);
  });

  it('deletes the deployment, and leaves nothing behind', async () => {
    const [{ id }] = (await cloud.rows<{ id: string }>(
      'select deployment_id as id from deployment_runtimes where deleted_at is null',
    )) as [{ id: string }];

    const { body } = await cloud.main().delete(`${cloud.environment}/deployments/${id}`);
    const ended = await cloud.main().get(`${cloud.tenant}/operations/${body.operation_id}?wait=60`);

    expect(ended.body).toMatchObject({ status: 'succeeded' });
    expect(await cloud.nodeProcesses()).toEqual([]);
    expect(await cloud.rows('select 1 from node_ports')).toEqual([]);
  });
}

describe('With the queue in PostgreSQL a cloud', () => tellsTheSameStory('postgres'));
describe('With the queue off a cloud', () => tellsTheSameStory('off'));
describeWithRedis('With the queue in Redis a cloud', () => tellsTheSameStory('redis'));

describeWithRedis('Redis may lose all its data:', () => {
  let cloud: TestCloud;

  beforeAll(async () => {
    cloud = await TestCloud.start({ queue: 'redis' });
  });
  afterAll(() => cloud.stop());

  it('a creation succeeds although Redis is emptied, killed and restarted empty', async () => {
    const { body } = await cloud.main().post(`${cloud.division}/deployments/starter`, starter);
    await cloud.redis?.flush();
    await cloud.redis?.crash();

    const ended = await cloud.main().get(`${cloud.tenant}/operations/${body.operation_id}?wait=60`);

    expect(ended.body).toMatchObject({ status: 'succeeded' });
  });

  it('and a deletion succeeds without Redis', async () => {
    await cloud.redis?.stop();
    const [{ id }] = (await cloud.rows<{ id: string }>('select id from deployments')) as [{ id: string }];

    const { body } = await cloud.main().delete(`${cloud.environment}/deployments/${id}`);
    const ended = await cloud.main().get(`${cloud.tenant}/operations/${body.operation_id}?wait=60`);

    expect(ended.body).toMatchObject({ status: 'succeeded' });
  });
});
