import { World } from '../matrix/world.js';

/** Changes of a deployment that do not touch its nodes; no node is started here. */
describe('A deployment', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start();
  });
  afterAll(() => world.stop());

  async function deployed() {
    const path = `${world.cloud.environment}/deployments/${await world.deployment()}`;
    const put = (suffix: string, body: unknown) => world.cloud.main().put(`${path}${suffix}`, body);
    const entries = async () =>
      world.cloud.rows(
        `select data from audit_entries where type = 'deployment_updated' and deployment_id = $1 order by id`,
        [path.split('/').at(-1)],
      );
    return { path, put, entries };
  }

  it('gets and loses a spend limit, and audits each change once', async () => {
    const { put, entries } = await deployed();

    expect((await put('/spend_limit', { spend_limit: 250.5 })).body.spend_limit).toBe(250.5);
    expect((await put('/spend_limit', { spend_limit: 250.5 })).status).toBe(200);
    expect((await put('/spend_limit', { spend_limit: null })).body.spend_limit).toBeNull();

    expect(await entries()).toEqual([
      { data: { spend_limit: '250.50', previous: { spend_limit: null } } },
      { data: { spend_limit: null, previous: { spend_limit: '250.50' } } },
    ]);
  });

  it.each([-1, 0.001, 1e12, '5', undefined, {}])('refuses %j as a spend limit', async (spend_limit) => {
    const { put } = await deployed();

    expect(await put('/spend_limit', { spend_limit })).toBeProblem('validation_failed');
  });

  it('keeps telemetry at most for the days of its terms', async () => {
    const { put } = await deployed();

    expect((await put('/retention', { retention: { telemetry_days: 14 } })).body.retention).toEqual({
      telemetry_days: 14,
    });
    expect(await put('/retention', { retention: { telemetry_days: 15 } })).toBeProblem('retention_above_maximum', {
      limit: 14,
    });
    expect(await put('/retention', { retention: { telemetry_days: 0 } })).toBeProblem('validation_failed');
    expect(await put('/retention', {})).toBeProblem('validation_failed');
    expect((await put('/retention', { retention: { telemetry_days: 3 } })).body.retention).toEqual({
      telemetry_days: 3,
    });
  });

  it('changes protection and description, unless it has changed since it was read', async () => {
    const { path, put } = await deployed();
    const etag = (await world.cloud.main().get(path)).headers.get('etag') ?? '';

    expect((await put('', { protected: true, description: 'orders' })).body).toMatchObject({
      protected: true,
      description: 'orders',
    });
    const late = await world.cloud.main().put(path, { description: 'late' }, { 'if-match': etag });
    expect(late).toBeProblem('precondition_failed');
    expect(await world.cloud.main().delete(path)).toBeProblem('protection_code_required');
    expect(await put('', { name: 'renamed' })).toMatchObject({ status: 200, body: { name: 'renamed' } });
    expect(await put('', { code: 'other' })).toBeProblem('validation_failed');
  });

  it('cannot be extended', async () => {
    const { path } = await deployed();
    const extend = (body: unknown) => world.cloud.main().post(`${path}/extend`, body);

    expect(await extend({ nodes: [{ count: 2 }] })).toBeProblem('cluster_extension_not_allowed');
    expect(await extend({ nodes: 'many' })).toBeProblem('validation_failed');
  });
});
