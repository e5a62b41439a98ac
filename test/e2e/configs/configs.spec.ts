import { given, TestCloud, type ApiAnswer } from '@libs/testing';

interface Config {
  id: number;
  version: number;
  primary: boolean;
}

const SHAPE = { cloud: 'aws', region: 'us-east-1', tier: 'small', managed_tier: 'standard', cluster: 'cluster' };
let made = 0;

/** Versions of configurations; these tests need no node. */
describe('A configuration', () => {
  let cloud: TestCloud;
  let deployment: number;
  let path: string;
  beforeAll(async () => {
    cloud = await TestCloud.borrow({ env: { LANDLORD_ROLE: 'api' } });
    await cloud.rows(`insert into payment_methods (tenant_id, provider) values ($1, 'manual') on conflict do nothing`, [
      cloud.installation.tenant_id,
    ]);
    await cloud.rows(`update tenants set plan_overrides = '{"deployment_tiers": {"small": 1000}}'`);
  });
  afterAll(() => cloud.stop());
  beforeEach(async () => {
    made += 1;
    const body = { name: `d-${made}`, ...SHAPE };
    const accepted = await cloud.main().post(`${cloud.environment}/deployments/managed`, body);
    deployment = Number(accepted.headers.get('ld-deployment'));
    path = `/deployments/${deployment}/configs/broker`;
  });

  const save = (body: object, key?: string): Promise<ApiAnswer> => cloud.runtime(key).post(path, body);
  const get = (suffix = '', key?: string): Promise<ApiAnswer> => cloud.runtime(key).get(`${path}${suffix}`);
  const activate = (name: string, version: number | string): Promise<ApiAnswer> =>
    cloud.runtime().put(`${path}/${name}/activate/${version}`, {});
  const remove = (id: number | string | undefined): Promise<ApiAnswer> => cloud.runtime().delete(`${path}/${id}`);
  /** Sets another broker in the rows, because its configuration has more keys. No node runs this broker here. */
  const onIggy = (release = '0.8.0') =>
    cloud.rows(`update nodes set broker_driver = 'iggy', broker_version = $2 where deployment_id = $1`, [
      deployment,
      release,
    ]);
  const audited = () =>
    cloud.rows<{ type: string; data: { version: number } }>(
      `select type, data from audit_entries where type like 'config_%' and deployment_id = $1 order by id`,
      [deployment],
    );
  const key = (permissions: string[], more: object = {}) =>
    given.key(cloud, { permissions: { environment: permissions as never }, ...more });

  it('exists from the start: an active first version with only defaults', async () => {
    const primary = await get('/primary');

    expect(primary.status).toBe(200);
    expect(primary.body).toEqual({
      ...{ id: primary.body.id, kind: 'broker', name: 'broker', version: 1, primary: true, values: {} },
      ...{ runtime_version: expect.any(String), runtime_outdated: false, restart_required: false },
      ...{ author_id: expect.any(Number), created_at: expect.stringMatching(/Z$/) },
    });
    expect((await get()).body).toEqual([primary.body]);
    expect((await get('/broker/versions')).body).toEqual([primary.body]);
    expect((await get('/broker/versions/1')).body).toEqual(primary.body);
    expect((await get(`/${primary.body.id}`)).body).toEqual(primary.body);
  });

  it('is described by the schema of the installed broker', async () => {
    const { body } = await get('/schema');

    const mqtt = body.find((section: { key: string }) => section.key === 'mqtt');
    expect(mqtt).toMatchObject({ name: 'MQTT', description: expect.any(String) });
    expect(mqtt.schema.find((entry: { key: string }) => entry.key === 'max_connections')).toEqual({
      ...{ key: 'max_connections', name: 'Max connections', description: expect.any(String), default_value: 1_000 },
      ...{ kind: 'integer', unit: null, owner: 'user', editable: true, secret: false, requirements: [] },
      rules: [
        { rule: 'minimum', value: 1 },
        { rule: 'maximum', value: 100_000 },
      ],
      restart_required: true,
    });
    await onIggy();
    const sections = (await get('/schema')).body.map((section: { key: string }) => section.key);
    expect(sections).toEqual(expect.arrayContaining(['quic', 'http', 'system', 'data_maintenance']));
    await onIggy('0.9.0');
    expect((await get('/schema')).body).toEqual([]);
  });

  it('gets a new version at each save, and becomes active on request', async () => {
    const saved = await save({ values: { mqtt: { max_connections: 500 } } });
    const active = await save({ name: 'broker', values: { 'mqtt.max_connections': 600 }, activate: true });

    expect(saved.status).toBe(201);
    expect(saved.headers.get('ld-config')).toBe(String(saved.body.id));
    expect(saved.headers.get('location')).toBe(`${path}/${saved.body.id}`);
    expect(saved.body).toMatchObject({ version: 2, primary: false, restart_required: true });
    expect(active.body).toMatchObject({ version: 3, primary: true, values: { mqtt: { max_connections: 600 } } });
    expect(await save({ name: 'night-shift', values: {} })).toBeProblem('validation_failed');
    expect((await get('/primary')).body).toEqual(active.body);
    expect((await get()).body.map(({ id }: Config) => id)).toEqual([active.body.id, saved.body.id, expect.any(Number)]);
    expect((await get('/broker/versions')).body.map(({ version }: Config) => version)).toEqual([3, 2, 1]);
    expect((await get(`/${saved.body.id}`)).body).toEqual(saved.body);
  });

  it('is activated without a change of a node, and only one of its kind is active', async () => {
    await save({ values: { http: { enabled: false } } });
    await save({ values: {} });

    expect((await activate('broker', 2)).status).toBe(204);
    expect((await get('/primary')).body).toMatchObject({ name: 'broker', version: 2, primary: true });
    expect((await activate('broker', 3)).status).toBe(204);
    expect((await activate('broker', 3)).status).toBe(204);

    expect((await get()).body.filter(({ primary }: Config) => primary)).toMatchObject([{ name: 'broker', version: 3 }]);
    const [applied] = await cloud.rows(
      `select distinct k.version from nodes n join configs k on k.id = n.config_id where n.deployment_id = $1`,
      [deployment],
    );
    expect(applied).toEqual({ version: 1 });
    const data = (version: number) => ({ config_id: expect.any(Number), kind: 'broker', name: 'broker', version });
    expect(await audited()).toEqual([
      { type: 'config_created', data: data(2) },
      { type: 'config_created', data: data(3) },
      { type: 'config_activated', data: data(2) },
      { type: 'config_activated', data: data(3) },
    ]);
  });

  it('is deleted by its id, unless it is active', async () => {
    const { body } = await save({ values: {} });
    const first = (await get('/primary')).body.id;

    expect(await remove(first)).toBeProblem('primary_config_undeletable', { status: 409 });
    expect((await remove(body.id)).status).toBe(204);

    expect(await get(`/${body.id}`)).toBeProblem('config_not_found');
    expect(await remove(body.id)).toBeProblem('config_not_found');
    expect((await audited()).map(({ type }) => type)).toEqual(['config_created', 'config_deleted']);
  });

  it('is not deleted while a node uses it or an operation applies it', async () => {
    const first = (await get('/primary')).body.id;
    const { body } = await save({ values: {}, activate: true });
    expect(await remove(first)).toBeProblem('state_conflict', { state: 'applied', nodes: expect.any(Array) });

    await cloud.rows('update nodes set config_id = $2 where deployment_id = $1', [deployment, body.id]);
    const memo = { config_id: body.id, before: { config_id: first } };
    const [operation] = await cloud.rows<{ id: string }>(
      `update operations set type = 'run_activity', memo = $2 where deployment_id = $1 returning id`,
      [deployment, JSON.stringify(memo)],
    );
    expect(await remove(first)).toBeProblem('state_conflict', { operation_id: Number(operation?.id) });

    await cloud.rows(`update operations set status = 'succeeded' where deployment_id = $1`, [deployment]);
    expect((await remove(first)).status).toBe(204);
  });

  it('does not reuse its version number after its deletion', async () => {
    const second = await save({ values: {} });
    await remove(second.body.id);
    expect((await save({ values: {} })).body.version).toBe(3);
  });

  it('honours if-match when it is deleted', async () => {
    const { body } = await save({ values: {} });
    const { headers } = await get(`/${body.id}`);
    await activate('broker', 2);
    await activate('broker', 1);
    const etag = headers.get('etag') ?? '';

    const stale = await cloud.runtime().call('DELETE', `${path}/${body.id}`, { headers: { 'if-match': '"other"' } });
    const fresh = await cloud.runtime().call('DELETE', `${path}/${body.id}`, { headers: { 'if-match': etag } });

    expect(stale).toBeProblem('precondition_failed');
    expect(fresh.status).toBe(204);
  });

  it('gets consecutive versions when many are saved at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => save({ values: {}, activate: true })));

    const versions = answers.map(({ body }) => body.version).sort((a, b) => a - b);
    expect(versions).toEqual(Array.from({ length: 20 }, (_, index) => index + 2));
    expect((await get()).body.filter(({ primary }: Config) => primary)).toHaveLength(1);
  });

  it('has one active, existing version during parallel activations and deletions', async () => {
    const saved = await Promise.all(Array.from({ length: 6 }, () => save({ values: {} })));

    const answers = await Promise.all(
      saved.flatMap(({ body }) => [
        activate('broker', body.version),
        remove(body.id),
        save({ values: {}, activate: true }),
      ]),
    );

    for (const { status } of answers) expect([201, 204, 404, 409]).toContain(status);
    const all = (await get()).body;
    expect(all.filter(({ primary }: Config) => primary)).toEqual([(await get('/primary')).body]);
    expect(new Set(all.map(({ version }: Config) => version)).size).toBe(all.length);
  });

  it('is saved once under one idempotency key', async () => {
    const options = { body: { values: {} }, headers: { 'idempotency-key': `config-${deployment}` } };

    const [first, again] = [
      await cloud.runtime().call('POST', path, options),
      await cloud.runtime().call('POST', path, options),
    ];

    expect(again.body).toEqual(first.body);
    expect((await get('/broker/versions')).body).toHaveLength(2);
  });

  it('counts against the plan, and frees capacity when it is deleted', async () => {
    await cloud.rows(
      `update tenants set plan_overrides = '{"deployment_tiers": {"small": 1000}, "limits": {"deployment_configs_limit": 2}}'`,
    );
    const { body } = await save({ values: {} });

    expect(await save({ values: {} })).toBeProblem('plan_limit_reached', { limit: 2, usage: 2 });
    await remove(body.id);
    expect((await save({ values: {} })).status).toBe(201);
    await cloud.rows(`update tenants set plan_overrides = '{"deployment_tiers": {"small": 1000}}'`);
  });

  it('reports all errors of its values at once', async () => {
    const values = {
      mqtt: { max_connections: 0, concurrency: 'many', max_qos: 1, none: 1 },
      'http.enabled': 'no',
      http: { enabled: true },
      unknown: {},
    };

    const answer = await save({ values });

    expect(answer).toBeProblem('validation_failed', { status: 400 });
    expect(answer.body.field_issues.map(({ path: at, code }: { path: string; code: string }) => [at, code])).toEqual([
      ['/values/mqtt/max_connections', 'below_minimum'],
      ['/values/mqtt/concurrency', 'wrong_type'],
      ['/values/mqtt/max_qos', 'not_editable'],
      ['/values/mqtt/none', 'unknown_key'],
      ['/values/http.enabled', 'wrong_type'],
      ['/values/http/enabled', 'duplicate_key'],
      ['/values/unknown', 'unknown_key'],
    ]);
    expect((await get()).body).toHaveLength(1);
  });

  it.each([
    ['no values', {}, '/values'],
    ['values that are a list', { values: [] }, '/values'],
    ['values that are a text', { values: 'x' }, '/values'],
    ['null for values', { values: null }, '/values'],
    ['another name', { values: {}, name: 'night-shift' }, '/name'],
    ['an empty name', { values: {}, name: '' }, '/name'],
    ['activate that is no flag', { values: {}, activate: 'yes' }, '/activate'],
    ['an unknown member', { values: {}, version: 7 }, '/version'],
  ])('is refused with %s', async (_what, body, field) => {
    const answer = await save(body);

    expect(answer).toBeProblem('validation_failed');
    expect(answer.body.field_issues.map((issue: { path: string }) => issue.path)).toContain(field);
  });

  it.each([
    ['nested without end', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
    ['lists without end', `{"mqtt":{"max_connections":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`],
    ['names of the language', '{"constructor":{"prototype":1}}'],
    ['more of its names', '{"mqtt":{"__proto__":1}}'],
    ['names that every object has', '{"toString":1,"mqtt":{"hasOwnProperty":1}}'],
    ['a number without end', '{"mqtt":{"max_connections":1e400}}'],
    ['keys without end', `{${Array.from({ length: 20_000 }, (_, index) => `"k${index}":1`).join(',')}}`],
  ])('is refused with values of %s', async (_what, values) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await cloud.runtime().call('POST', path, { raw: `{"values":${values}}`, headers });

    expect(answer).toBeProblem('validation_failed');
    expect(answer.body.field_issues.length).toBeLessThan(10);
  });

  it.each(['/0', '/99999999999', '/x', '/broker', '/none/versions', '/broker/versions/9', '/broker/versions/x'])(
    'is not found at %s',
    async (suffix) => {
      expect(await get(suffix)).toBeProblem('config_not_found');
    },
  );

  it.each(['9', '0', '99999999999', '9007199254740993', 'x'])('is not activated by the version %s', async (version) => {
    expect(await activate('broker', version)).toBeProblem('config_not_found');
  });

  it('of another deployment is not found', async () => {
    const [foreign] = await cloud.rows<{ id: string }>('select id from configs where deployment_id <> $1 limit 1', [
      deployment,
    ]);

    expect(await get(`/${foreign?.id}`)).toBeProblem('config_not_found');
    expect(await remove(foreign?.id)).toBeProblem('config_not_found');
  });

  it('cannot change while its deployment is being deleted', async () => {
    await save({ values: {} });
    await cloud.rows(`update deployment_runtimes set status = 'deleting' where deployment_id = $1`, [deployment]);

    expect(await save({ values: {} })).toBeProblem('state_conflict', { state: 'deleting' });
    expect(await activate('broker', 2)).toBeProblem('state_conflict', { state: 'deleting' });
    expect(await save({ values: { none: 1 } })).toBeProblem('validation_failed');
  });

  it('shows its differences from another version', async () => {
    await save({ values: { mqtt: { max_connections: 500, concurrency: 100 } } });
    await save({ values: { mqtt: { max_connections: 700 }, http: { enabled: false } } });
    const against = (query: string) => get(`/broker/versions/3/diff${query}`);

    expect((await against('')).body.changes).toEqual([
      { key: 'mqtt.max_connections', from: 1_000, to: 700, secret: false, restart_required: true },
      { key: 'http.enabled', from: true, to: false, secret: false, restart_required: true },
    ]);
    expect((await against('?against=2')).body.changes[0]).toMatchObject({ from: 500, to: 700 });
    expect((await against('?against=3')).body.changes).toEqual([]);
    expect(await against('?against=9')).toBeProblem('config_not_found');
    expect(await against('?against=x')).toBeProblem('validation_failed');
  });

  it('reports when another release is installed than the one it was validated for', async () => {
    await cloud.rows(`update nodes set broker_version = '9.9.9' where deployment_id = $1`, [deployment]);

    const [saved, old] = [await save({ values: {} }), await get('/broker/versions/1')];

    expect(saved.body).toMatchObject({ runtime_version: '9.9.9', runtime_outdated: false });
    expect(old.body.runtime_outdated).toBe(true);
  });

  it('is stored encrypted', async () => {
    await onIggy();
    const saved = await save({ values: { http: { cors: { allowed_origins: ['https://private.example'] } } } });

    expect(saved.body.values).toEqual({ http: { 'cors.allowed_origins': ['https://private.example'] } });
    const stored = await cloud.rows('select config_values from configs where deployment_id = $1', [deployment]);
    expect(stored).toHaveLength(2);
    expect(JSON.stringify(stored)).not.toContain('private.example');
  });

  describe('of restricted keys', () => {
    beforeEach(() => onIggy());
    const MANAGE = ['deployment:config:manage'];
    const admins = { values: { system: { memory_pool: { enabled: false } }, quic: { send_window: '1 MiB' } } };

    it('is accepted from an owner or admin, and refused from a key that only has the permission', async () => {
      const answer = await save(admins, await key(MANAGE));

      expect(answer).toBeProblem('insufficient_permissions', { status: 403, keys: ['system.memory_pool.enabled'] });
      expect((await save({ values: { quic: { send_window: '1 MiB' } } }, await key(MANAGE))).status).toBe(201);
      expect((await save(admins)).status).toBe(201);
    });

    it('is refused from an owner who uses a key of one division', async () => {
      const scoped = await given.key(cloud, { divisionId: cloud.installation.division_id });

      expect(await save(admins, scoped)).toBeProblem('insufficient_permissions');
    });

    it('is refused when it sets a key of the platform, or when its keys contradict each other', async () => {
      const logging = { max_file_size: '1 GB', max_total_size: '900 MB' };
      const values = { tcp: { enabled: true }, system: { logging }, quic: { send_window: 5 } };

      const answer = await save({ values });

      expect(answer).toBeProblem('validation_failed');
      expect(answer.body.field_issues.map(({ path: at, code }: { path: string; code: string }) => [at, code])).toEqual([
        ['/values/tcp/enabled', 'not_editable'],
        ['/values/quic/send_window', 'wrong_type'],
        ['/values/system/logging/max_file_size', 'rule_broken'],
      ]);
    });
  });
});
