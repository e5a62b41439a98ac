import { eventually, given, TestCloud } from '@libs/testing';

describe('Operations', () => {
  let cloud: TestCloud;
  let operation: number;
  const starter = { cloud: 'aws', region: 'us-east-1' };

  // The queue is off: only the periodic scans run operations.
  beforeAll(async () => {
    cloud = await TestCloud.start({ env: { QUEUE_URL: 'off' } });
    const accepted = await cloud.main().post(`${cloud.division}/deployments/starter`, starter);
    operation = accepted.body.operation_id;
    const ended = await cloud.main().get(`${cloud.tenant}/operations/${operation}?wait=60`);
    expect(ended.body).toMatchObject({ status: 'succeeded' });
  });
  afterAll(() => cloud.stop());

  it('report each step, equally in both APIs', async () => {
    const main = await cloud.main().get(`${cloud.tenant}/operations/${operation}`);
    const runtime = await cloud.runtime().get(`${cloud.tenant}/operations/${operation}`);

    expect(runtime.body).toEqual(main.body);
    expect(main.body).toMatchObject({
      type: 'provision_deployment',
      deployment_id: 1,
      author_id: 1,
      incident: null,
      progress: 100,
    });
    const names = main.body.steps.map(({ name }: { name: string }) => name);
    expect([names[0], names.at(-1)]).toEqual(['creating', 'initialized']);
    for (const step of main.body.steps)
      expect(step).toMatchObject({ status: 'succeeded', finished_at: expect.stringMatching(/Z$/) });
  });

  it('are listed newest first, filtered by deployment, type and status', async () => {
    const list = (query: string) => cloud.main().get(`${cloud.tenant}/operations?${query}`);

    expect((await list('')).body).toMatchObject({ total_results: 1, items: [{ id: operation }] });
    expect((await list('deployment=1&type=provision_deployment&status=succeeded')).body.total_results).toBe(1);
    expect((await list('deployment=2')).body.total_results).toBe(0);
    expect((await list('status=failed')).body.total_results).toBe(0);
    expect(await list('status=done')).toBeProblem('validation_failed');
    expect(await cloud.main().get(`${cloud.tenant}/operations/${operation}?wait=61`)).toBeProblem('validation_failed');
  });

  it('are visible only to callers who may read the deployment', async () => {
    const { body } = await cloud.main().post(`${cloud.tenant}/divisions`, { name: 'Elsewhere' });
    const scoped = await given.key(cloud, { divisionId: body.id });
    const other = await given.tenant(cloud);
    const foreign = await given.key(cloud, { tenantId: other.tenantId });

    expect((await cloud.main(scoped).get(`${cloud.tenant}/operations`)).body.total_results).toBe(0);
    expect(await cloud.main(scoped).get(`${cloud.tenant}/operations/${operation}`)).toBeProblem('operation_not_found');
    expect(await cloud.main(foreign).get(`/tenants/${other.tenantId}/operations/${operation}`)).toBeProblem(
      'operation_not_found',
    );
  });

  it('exclude each other on a deployment, except for the deletion, which is accepted once', async () => {
    const first = await cloud.main().delete(`${cloud.environment}/deployments/1`);
    const second = await cloud.main().delete(`${cloud.environment}/deployments/1`);

    expect(first.status).toBe(202);
    if (second.status !== 404)
      expect(second).toBeProblem('state_conflict', { status: 409, operation_id: first.body.operation_id });
    const ended = await cloud.main().get(`${cloud.tenant}/operations/${first.body.operation_id}?wait=60`);
    expect(ended.body).toMatchObject({ status: 'succeeded', type: 'delete_deployment' });
  });

  it('of a creation are cancelled by the deletion, which leaves nothing behind', async () => {
    const accepted = await cloud.main().post(`${cloud.division}/deployments/starter`, starter);
    const id = accepted.body.deployment_id;
    await eventually('a node is being made', async () => {
      const rows = await cloud.rows(
        `select 1 from operation_steps where operation_id = $1 and name = 'securing_network'`,
        [accepted.body.operation_id],
      );
      return rows.length > 0;
    });

    const deletion = await cloud.main().delete(`${cloud.environment}/deployments/${id}`);
    const ended = await cloud.main().get(`${cloud.tenant}/operations/${deletion.body.operation_id}?wait=60`);
    const creation = await cloud.main().get(`${cloud.tenant}/operations/${accepted.body.operation_id}`);

    expect(ended.body).toMatchObject({ status: 'succeeded' });
    expect(creation.body).toMatchObject({ status: 'cancelled', reason: 'superseded by the deletion' });
    expect(await cloud.nodeProcesses()).toEqual([]);
    expect(await cloud.main().get(`${cloud.environment}/deployments/${id}`)).toBeProblem('deployment_not_found');
  });
});
