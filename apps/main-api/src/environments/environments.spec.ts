import { given } from '@libs/testing';
import { TestMainApi } from '../../test/test-main-api.fixture.js';

describe('An environment', () => {
  let cloud: TestMainApi;
  let environments: string;
  let count = 0;
  beforeAll(async () => {
    cloud = await TestMainApi.open({ LANDLORD_ROLE: 'api' });
    environments = `${cloud.division}/environments`;
  });
  afterAll(() => cloud.close());

  const name = (): string => `environment-${(count += 1)}`;
  const create = async (more: object = {}) => {
    const answer = await cloud.main().post(environments, { name: name(), ...more });
    expect(answer.status).toBe(201);
    return { ...(answer.body as { id: number; name: string }), path: answer.headers.get('location') ?? '' };
  };
  const audited = (id: number) =>
    cloud.rows<{ type: string; data: object }>(
      `select type, data from audit_entries where environment_id = $1 order by id`,
      [id],
    );

  it('is created, changed and deleted, each with an audit entry and an event', async () => {
    const one = await create({ description: 'for tests' });

    expect((await cloud.main().get(one.path)).body).toMatchObject({ id: one.id, description: 'for tests' });
    expect(await cloud.main().put(one.path, { descriptions: 'x' })).toBeProblem('validation_failed');
    expect((await cloud.main().put(one.path, { description: 'for load' })).status).toBe(204);
    expect((await cloud.main().delete(one.path)).status).toBe(204);

    expect(await cloud.main().get(one.path)).toBeProblem('environment_not_found');
    expect(await audited(one.id)).toMatchObject([
      { type: 'environment_created' },
      { type: 'environment_updated', data: { description: 'for load', previous: { description: 'for tests' } } },
      { type: 'environment_deleted' },
    ]);
    expect(await cloud.rows('select type from outbox where environment_id = $1 order by id', [one.id])).toEqual(
      ['created', 'updated', 'deleted'].map((change) => ({ type: `environment_${change}` })),
    );
  });

  it('has a name that no other environment of the division has, in any letter case', async () => {
    const one = await create();
    const two = await create();

    expect(await cloud.main().post(environments, { name: one.name.toUpperCase() })).toBeProblem('name_taken');
    expect(await cloud.main().put(two.path, { name: one.name })).toBeProblem('name_taken');
    expect((await cloud.main().put(one.path, { name: one.name.toUpperCase() })).status).toBe(204);
  });

  it('with a deployment is not deleted', async () => {
    const one = await create();
    const starter = { cloud: 'aws', region: 'us-east-1', environment_id: one.id };
    expect((await cloud.main().post(`${cloud.division}/deployments/starter`, starter)).status).toBe(202);

    expect(await cloud.main().delete(one.path)).toBeProblem('not_empty', { status: 409 });
    expect((await cloud.main().get(one.path)).status).toBe(200);
  });

  it('that is protected is deleted only with a code', async () => {
    const one = await create({ protected: true });

    expect(await cloud.main().delete(one.path)).toBeProblem('protection_code_required');
    expect(await cloud.main().delete(`${one.path}?code=00000000`)).toBeProblem('protection_code_invalid');
    expect((await cloud.main().get(one.path)).body.protected).toBe(true);
  });

  it('of another organization or division does not exist for the caller', async () => {
    const other = await given.tenant(cloud);
    const second = (await cloud.main().post(`${cloud.tenant}/divisions`, { name: 'Second' })).body.id as number;
    const foreign = [
      `${environments}/${other.environmentId}`,
      `${cloud.tenant}/divisions/${second}/environments/${cloud.installation.environment_id}`,
    ];

    for (const path of foreign) {
      expect(await cloud.main().get(path)).toBeProblem('environment_not_found');
      expect(await cloud.main().put(path, { name: 'mine' })).toBeProblem('environment_not_found');
      expect(await cloud.main().delete(path)).toBeProblem('environment_not_found');
    }
    const rows = await cloud.rows('select deleted_at, name from environments where id = $1', [other.environmentId]);
    expect(rows).toEqual([{ deleted_at: null, name: 'sandbox' }]);
  });

  it('is listed only for keys that may read it', async () => {
    const one = await create();
    const exact = { permissions: [], environment: [], environments: { [one.id]: ['environment:read' as const] } };
    const key = await given.key(cloud, { permissions: { divisions: { [cloud.installation.division_id]: exact } } });
    const blind = await given.key(cloud, { permissions: { tenant: ['info:read'] } });

    const { body } = await cloud.main(key).get(environments);

    expect(body).toMatchObject({ items: [{ id: one.id }], total_results: 1 });
    expect(await cloud.main(blind).get(environments)).toBeProblem('insufficient_permissions');
  });
});
