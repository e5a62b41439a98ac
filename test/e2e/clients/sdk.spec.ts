import {
  ConflictError,
  createClient,
  InvalidRequestError,
  NotFoundError,
  UnauthenticatedError,
  type ClientOptions,
  type Landlord,
} from '@landlord/sdk';
import { eventually, openBrokerClient, TestCloud } from '@libs/testing';

const STARTER = { cloud: 'aws', region: 'us-east-1' } as const;

/** The SDK against both real APIs. Its behaviour when connections break is tested beside its code. */
describe('The SDK', () => {
  let cloud: TestCloud;
  let landlord: Landlord;
  beforeAll(async () => {
    cloud = await TestCloud.borrow();
    landlord = client();
  });
  afterAll(() => cloud.stop());
  const client = (more: Partial<ClientOptions> = {}) =>
    createClient({ url: cloud.mainApi.url, apiKey: cloud.key, ...more });
  const place = () => ({
    division_id: cloud.installation.division_id,
    environment_id: cloud.installation.environment_id,
  });
  const thrown = (call: PromiseLike<unknown>): Promise<unknown> =>
    Promise.resolve(call).then(
      () => null,
      (error: unknown) => error,
    );

  it('waits for the first request with the key, and returns its answer', async () => {
    const waits: string[] = [];
    const patient = client({ onWait: ({ code, retryAfterMs }) => waits.push(`${code} ${retryAfterMs}`) });
    const holder = await cloud.sql.connect();
    await holder.query('begin; lock table divisions in share mode');
    const create = () => patient.divisions.create({ name: 'Slow' }, { idempotencyKey: 'slow' });

    const first = create();
    await eventually('the first request waits for the table', async () => {
      const blocked = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      return (await cloud.rows(blocked)).length === 1;
    });
    const second = create();
    await eventually('the second request was refused', async () => waits.length > 0);
    await holder.query('rollback');
    holder.release();

    expect(new Set(waits)).toEqual(new Set(['idempotent_request_in_progress 1000']));
    expect((await second).id).toBe((await first).id);
    expect(await cloud.rows(`select 1 from divisions where name = 'Slow'`)).toHaveLength(1);
  });

  it('takes a deployment from the order to a message and to its deletion', async () => {
    const steps = new Set<string>();
    const created = await landlord.deployments.createStarter({ ...place(), ...STARTER });
    const { deployment_id } = created;
    expect(await created.operation.wait({ onEvent: ({ step }) => steps.add(step) })).toMatchObject({
      ...{ type: 'provision_deployment', status: 'succeeded', deployment_id, progress: 100 },
    });
    const { steps: all } = await landlord.operation(created.operation_id).get();
    expect(all.length).toBeGreaterThan(3);
    expect(all.map(({ name }) => name).filter((name) => !steps.has(name))).toEqual([]);

    // Without an address of the Supervisor: the client asks the main API.
    const { nodes } = await landlord.runtime.get({ deployment_id });
    const login = await landlord.runtime.getCredentials({ deployment_id });
    const [node] = nodes;
    const target = { endpoint: node?.endpoints.tcp ?? '', login, over: 'tcp' } as const;
    const messages = await openBrokerClient(node?.driver ?? '', target);
    await messages.write('greetings', 'hello');
    expect(await messages.readAll('greetings', 1)).toEqual(['hello']);
    await messages.close();

    const deleted = await landlord.deployments.delete({ ...place(), deployment_id });
    await deleted.operation.wait();
    expect(await thrown(landlord.deployments.get({ ...place(), deployment_id }))).toBeInstanceOf(NotFoundError);
  });

  it('waits on while the main API is killed and comes back', async () => {
    const created = await landlord.deployments.createStarter({ ...place(), ...STARTER });
    const restarts: Promise<void>[] = [];
    const killAndStart = () => cloud.mainApi.kill().then(() => cloud.mainApi.start());
    const onEvent = (): void => void (restarts.length === 0 && restarts.push(killAndStart()));

    await expect(created.operation.wait({ onEvent })).resolves.toMatchObject({ status: 'succeeded' });
    expect(restarts).toHaveLength(1);
    await Promise.all(restarts);
    const deleted = await landlord.deployments.delete({ ...place(), deployment_id: created.deployment_id });
    await deleted.operation.wait();
  });

  it('creates one resource although the answer to its first attempt is lost', async () => {
    let lost = 0;
    const losing = client({
      fetch: async (...request) => {
        const answer = await fetch(...request);
        if (answer.status !== 201 || lost > 0) return answer;
        lost += 1;
        throw new TypeError('fetch failed');
      },
    });

    const { id } = await losing.divisions.create({ name: 'Once' });

    expect(lost).toBe(1);
    const rows = await cloud.rows<{ id: string }>(`select id from divisions where name = 'Once'`);
    expect(rows.map((row) => Number(row.id))).toEqual([id]);
  });

  it('reads all pages of a list', async () => {
    const names = ['One', 'Two', 'Three', 'Four', 'Five'];
    for (const name of names) await landlord.divisions.create({ name });

    const seen: string[] = [];
    for await (const { name } of landlord.divisions.list({ results: 2 })) seen.push(name);

    expect(seen).toEqual(expect.arrayContaining(names));
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('throws refusals as the errors of their classes, with everything that is wrong', async () => {
    await landlord.divisions.create({ name: 'Taken' });
    const taken = await thrown(landlord.divisions.create({ name: 'Taken' }));
    expect(taken).toBeInstanceOf(ConflictError);
    expect(taken).toMatchObject({ code: 'name_taken', isRetryable: false });

    const wrong = await thrown(landlord.divisions.create({ name: '', remark: 'x' } as never));
    expect(wrong).toBeInstanceOf(InvalidRequestError);
    const { fieldIssues, message } = wrong as InvalidRequestError;
    expect(fieldIssues.map(({ path }) => path).sort()).toEqual(['/name', '/remark']);
    expect(message).toContain('/remark');

    const stranger = await thrown(client({ apiKey: 'ld_wrong', tenantId: 1 }).divisions.list());
    expect(stranger).toBeInstanceOf(UnauthenticatedError);
    expect(String(stranger)).not.toContain('ld_wrong');
    expect(await thrown(landlord.accessRules.list({ deployment_id: 2 ** 53 - 1 }))).toMatchObject({
      name: 'UnknownSupervisorError',
    });
  });
});
