import { KeyCommands } from '@libs/operator';
import { eventually, EventStream, given, TestCloud } from '@libs/testing';

const starter = { cloud: 'aws', region: 'us-east-1' };

describe('The events of an operation', () => {
  let cloud: TestCloud;

  beforeAll(async () => {
    cloud = await TestCloud.borrow();
  });
  afterAll(() => cloud.stop());

  // The plan allows one Free deployment at a time.
  afterEach(async () => {
    const left = await cloud.rows<{ id: string }>(
      'select deployment_id as id from deployment_runtimes where deleted_at is null',
    );
    for (const { id } of left) {
      const { body } = await cloud.main().delete(`${cloud.environment}/deployments/${id}`);
      await cloud.main().get(`${cloud.tenant}/operations/${body.operation_id}?wait=60`);
    }
  });

  const create = async (): Promise<string> => {
    const { body } = await cloud.main().post(`${cloud.division}/deployments/starter`, starter);
    return `${cloud.tenant}/operations/${body.operation_id}`;
  };
  it('continue at another process after the first one was killed, without a lost or repeated event', async () => {
    const operation = await create();
    const first = new EventStream(`${cloud.mainApi.url}${operation}/events`, cloud.key);
    await eventually('some events have come', async () => first.events.length >= 3);

    await cloud.mainApi.kill();
    await first.ended;
    const second = new EventStream(`${cloud.supervisor.url}${operation}/events`, cloud.key, first.lastId);
    await second.ended;
    await cloud.mainApi.start();

    const ids = [...first.events, ...second.events].map(({ id }) => Number(id));
    expect(ids).toEqual(ids.map((_, index) => index + 1));
    expect(second.events.at(-1)).toMatchObject({ event: 'ended', data: { step: 'initialized', status: 'succeeded' } });
    const steps = [...first.events, ...second.events].filter(({ event }) => event === 'step');
    expect(steps.map(({ data }) => data.step).slice(0, 2)).toEqual(['creating', 'initializing']);
  });

  it('end with an answer that stops a reconnecting client after the last event', async () => {
    const operation = await create();
    const stream = new EventStream(`${cloud.mainApi.url}${operation}/events`, cloud.key);
    await stream.ended;

    const again = new EventStream(`${cloud.mainApi.url}${operation}/events`, cloud.key, stream.lastId);
    await again.ended;
    const replay = new EventStream(`${cloud.supervisor.url}${operation}/events`, cloud.key);
    await replay.ended;

    expect(stream.status).toBe(200);
    expect([again.status, again.events]).toEqual([204, []]);
    expect(replay.events).toEqual(stream.events);
  });

  it('are refused if the operation itself is refused, and for an invalid number', async () => {
    const operation = await create();
    const { tenantId } = await given.tenant(cloud);
    const foreign = await given.key(cloud, { tenantId });
    const number = operation.split('/').at(-1);

    expect(await cloud.main(foreign).get(`/tenants/${tenantId}/operations/${number}/events`)).toBeProblem(
      'operation_not_found',
    );
    expect(await cloud.main(null).get(`${operation}/events`)).toBeProblem('unauthenticated');
    expect(await cloud.main().get(`${operation}/events`, { 'last-event-id': 'x' })).toBeProblem('validation_failed');
  });

  it('stop when the key of the reader is deleted', async () => {
    const key = await given.key(cloud);
    const [row] = await cloud.rows<{ id: string }>(
      `insert into operations (type, queue, tenant_id, changing, step, trace_id, wake_at)
       values ('provision_deployment', 'operations.nowhere', $1, false, 'creating', repeat('0', 32), 'infinity') returning id`,
      [cloud.installation.tenant_id],
    );
    const stream = new EventStream(`${cloud.mainApi.url}${cloud.tenant}/operations/${row?.id}/events`, key);
    await eventually('it is open', async () => stream.status === 200);

    const [newest] = await cloud.rows<{ id: string }>('select max(id) as id from api_keys');
    await cloud.asOperator((session) => new KeyCommands(session).revoke(Number(newest?.id)));
    await stream.ended;

    const again = new EventStream(`${cloud.mainApi.url}${cloud.tenant}/operations/${row?.id}/events`, key);
    await again.ended;
    expect(again.status).toBe(401);
  });
});
