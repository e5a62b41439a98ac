import { given, type ApiAnswer, type Person } from '@libs/testing';
import { World } from '../matrix/world.js';

const PLACE = { cloud: 'gcp', region: 'europe-west1' };

/** Environment and name of a Free deployment; no node is started here. */
describe('A starter', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start();
  });
  afterAll(() => world.stop());

  const create = (over: object = {}): Promise<ApiAnswer> =>
    world.cloud.main().post(`${world.cloud.division}/deployments/starter`, { ...PLACE, ...over });
  const made = async (answer: ApiAnswer): Promise<any> => {
    expect(answer.status).toBe(202);
    const environment = await environmentOf(answer);
    const { body } = await world.cloud.main().get(answer.headers.get('location') ?? '');
    return { environment: environment.name, name: body.name, variant: body.variant };
  };
  const environmentOf = async (answer: ApiAnswer): Promise<any> => {
    const id = answer.headers.get('ld-environment');
    return (await world.cloud.main().get(`${world.cloud.division}/environments/${id}`)).body;
  };
  const environments = async (): Promise<number> =>
    (await world.cloud.main().get(`${world.cloud.division}/environments`)).body.total_results;
  const paths = ({ body }: ApiAnswer): string[] => body.field_issues.map(({ path }: { path: string }) => path).sort();

  it('is created in the environment sandbox with a generated name by default', async () => {
    const [one, other] = [await made(await create()), await made(await create())];

    expect(one).toEqual({ environment: 'sandbox', name: expect.stringMatching(/^starter-\w{6}$/), variant: 'starter' });
    expect(other.environment).toBe('sandbox');
    expect(other.name).not.toBe(one.name);
  });

  it('creates the sandbox of a division that has none', async () => {
    const division = `${world.cloud.tenant}/divisions/${await world.division()}`;

    const answer = await world.cloud.main().post(`${division}/deployments/starter`, PLACE);

    const { body } = await world.cloud.main().get(`${division}/environments`);
    expect(body.items).toMatchObject([{ id: Number(answer.headers.get('ld-environment')), name: 'sandbox' }]);
  });

  it('is created in the environment with the given id', async () => {
    const id = await world.environment();
    const answer = await create({ environment_id: id, deployment_name: 'mine' });

    expect(answer.headers.get('ld-environment')).toBe(String(id));
    expect((await made(answer)).name).toBe('mine');
    expect(await create({ environment_id: 77_777 })).toBeProblem('environment_not_found', { status: 404 });
  });

  it('needs the permission only in the environment that it names', async () => {
    const id = await world.environment();
    const other = await world.environment();
    const division = world.cloud.installation.division_id;
    const grant = { permissions: [], environment: [], environments: { [id]: ['deployment:manage' as const] } };
    const key = await given.key(world.cloud, { permissions: { divisions: { [division]: grant } } });
    const post = (body: object, at = world.cloud.division) =>
      world.cloud.main(key).post(`${at}/deployments/starter`, { ...PLACE, ...body });

    expect((await post({ environment_id: id, deployment_name: 'allowed' })).headers.get('ld-environment')).toBe(
      String(id),
    );
    for (const [body, environment] of [
      [{ environment_id: other }, other],
      [{ environment_id: 77_777 }, 77_777],
      [{ environment_name: 'trials' }, null],
      [{}, null],
    ] as const)
      expect(await post(body)).toBeProblem('insufficient_permissions', {
        ...{ status: 403, permission: 'deployment:manage' },
        scope: expect.objectContaining({ division_id: division, environment_id: environment }),
      });
    const elsewhere = `${world.cloud.tenant}/divisions/${await world.division()}`;
    expect((await post({ environment_id: id }, elsewhere)).status).toBe(404);
    const { body } = await world.cloud.main().get(`${world.cloud.tenant}/deployments?results=100`);
    expect(body.items.filter((item: any) => item.environment_id === other)).toEqual([]);
  });

  it('is created in the environment with the given name, which is created once', async () => {
    const before = await environments();
    const first = await create({ environment_name: 'trials' });
    const second = await create({ environment_name: 'trials' });

    expect((await made(first)).environment).toBe('trials');
    expect(second.headers.get('ld-environment')).toBe(first.headers.get('ld-environment'));
    expect(await environments()).toBe(before + 1);
  });

  it('is refused with both a name and an id, and the refusal names all other errors', async () => {
    const [deployments, before] = [await world.cloud.rows('select 1 from deployments'), await environments()];
    const both = { environment_id: world.cloud.installation.environment_id, environment_name: 'both' };
    const [exclusive, more, malformed] = [
      await create(both),
      await create({ ...both, region: 'us-east-1' }),
      await create({ ...both, region: 'mars-1', deployment_name: '' }),
    ];

    for (const answer of [exclusive, more, malformed]) expect(answer).toBeProblem('validation_failed', { status: 400 });
    expect(paths(exclusive)).toEqual(['/environment_name']);
    expect(paths(more)).toEqual(['/environment_name', '/region']);
    expect(paths(malformed)).toEqual(['/deployment_name', '/environment_name', '/region']);
    expect(await world.cloud.rows('select 1 from deployments')).toHaveLength(deployments.length);
    expect(await environments()).toBe(before);
  });

  describe('of a user with several organizations', () => {
    let owner: Person;
    let tenants: { id: number; division: string }[];
    beforeEach(async () => {
      owner = await given.person(world.cloud, { email: `${world.name()}@people.example` });
      tenants = [];
      for (const name of ['one', 'two', 'three']) {
        const { id } = (await owner.post('/tenants', { name })).body;
        const { divisions } = (await owner.get(`/tenants/${id}/structure`)).body;
        tenants.push({ id, division: `/tenants/${id}/divisions/${divisions[0].id}` });
      }
    });
    const start = (division = ''): Promise<ApiAnswer> => owner.post(`${division}/deployments/starter`, PLACE);
    const overrides = (id: number | undefined, given: object) =>
      world.cloud.rows('update tenants set plan_overrides = $1 where id = $2', [JSON.stringify(given), id]);
    /** For each tenant: `starter_available` and the remaining limit of the tier. */
    const availability = async (): Promise<unknown[]> => {
      const answers = tenants.map(async ({ id }) => {
        const tiers = (await owner.get(`/tenants/${id}/clouds/aws/regions/us-east-1/tiers`)).body;
        return [(await owner.get(`/tenants/${id}`)).body.starter_available, tiers[0].limit];
      });
      return Promise.all(answers);
    };
    const [OPEN, FULL] = [
      [true, 1],
      [false, 0],
    ];

    it('is limited to two in all organizations, also with parallel requests', async () => {
      expect(await availability()).toEqual([OPEN, OPEN, OPEN]);

      const answers = await Promise.all(tenants.map(({ division }) => start(division)));

      expect(answers.map(({ status }) => status).sort()).toEqual([202, 202, 409]);
      const refused = answers.find(({ status }) => status === 409);
      expect(refused).toBeProblem('plan_limit_reached', {
        limit_name: 'free_deployments_per_user',
        limit: 2,
        usage: 2,
      });
      expect(await availability()).toEqual([FULL, FULL, FULL]);
    });

    it('can be created again after one of another organization is deleted', async () => {
      const [one, two, three] = tenants;
      const gone = (await start(one?.division)).headers.get('ld-deployment');
      await start(two?.division);
      expect((await start(three?.division)).status).toBe(409);

      await world.cloud.rows('update deployment_runtimes set deleted_at = now() where deployment_id = $1', [gone]);

      expect(await availability()).toEqual([OPEN, FULL, OPEN]);
      expect((await start(three?.division)).status).toBe(202);
    });

    it('is neither limited nor counted in an organization with an override that raises the limit', async () => {
      const [one, two, three] = tenants;
      await overrides(one?.id, { deployment_tiers: { free: 2 } });
      expect([(await start(one?.division)).status, (await start(one?.division)).status]).toEqual([202, 202]);
      expect(await availability()).toEqual([FULL, OPEN, OPEN]);

      expect([(await start(two?.division)).status, (await start(three?.division)).status]).toEqual([202, 202]);

      await overrides(one?.id, { deployment_tiers: { free: 3 }, limits: { concurrent_deployments_limit: 9 } });
      expect((await start(one?.division)).status).toBe(202);
    });

    it('is not offered in an organization that has reached its limit of deployments', async () => {
      await overrides(tenants[0]?.id, { limits: { concurrent_deployments_limit: 0 } });

      expect(await availability()).toEqual([FULL, OPEN, OPEN]);
      expect(await start(tenants[0]?.division)).toBeProblem('plan_limit_reached', {
        limit_name: 'concurrent_deployments_limit',
      });
    });
  });
});
