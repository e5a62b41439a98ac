import { given, TestCloud, type ApiAnswer } from '@libs/testing';

const SHAPE = { cloud: 'aws', region: 'us-east-1', tier: 'small', managed_tier: 'standard', cluster: 'cluster' };
const STREAM = { stream: 'orders', topics: ['new'] };
const URL = 'https://service.example/hook';
let made = 0;

/** Connectors without a node; `connectors-on-nodes.proof.ts` tests their effect on nodes. */
describe('A connector', () => {
  let cloud: TestCloud;
  let deployment: number;
  let catalogue: string;
  let instances: string;
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
    catalogue = `${cloud.environment}/deployments/${deployment}/connectors`;
    instances = `/deployments/${deployment}/connectors/instances`;
    await settled();
    await cloud.rows(`update deployment_runtimes set status = 'initialized' where deployment_id = $1`, [deployment]);
  });

  /** No worker runs here. Marks all operations of the deployment as succeeded. */
  const settled = () =>
    cloud.rows(`update operations set status = 'succeeded', finished_at = now() where deployment_id = $1`, [
      deployment,
    ]);
  const activate = (body: object, key?: string): Promise<ApiAnswer> =>
    cloud.main(key).post(`${catalogue}/activate`, body);
  const activated = async (connector_type: string, connector_key: string, instance_key: string): Promise<ApiAnswer> => {
    const accepted = await activate({ connector_type, connector_key, instance_key });
    expect(accepted.status).toBe(202);
    await settled();
    return accepted;
  };
  const configs = (plugin: string): string => `/deployments/${deployment}/configs/connector:${plugin}`;
  const save = (plugin: string, body: object): Promise<ApiAnswer> => cloud.runtime().post(configs(plugin), body);
  const read = (path: string): Promise<ApiAnswer> => cloud.runtime().get(path);
  const audited = (type: string) =>
    cloud.rows<{ data: object }>(`select data from audit_entries where type = $1 and deployment_id = $2 order by id`, [
      type,
      deployment,
    ]);
  const operations = () =>
    cloud.rows<{ type: string; status: string }>(
      `select type, status from operations where deployment_id = $1 and type = 'run_connectors' order by id`,
      [deployment],
    );

  describe('of the catalogue', () => {
    it('shows its description, its availability on nodes and in the plan, and its instances', async () => {
      const { body: instance } = await activated('sink', 'http', 'hook');

      const { status, body } = await cloud.main().get(`${catalogue}?results=100`);

      expect(status).toBe(200);
      expect(body).toMatchObject({ page: 1, total_results: 18, total_pages: 1 });
      const of = (type: string, key: string) =>
        body.items.find((item: { type: string; key: string }) => item.type === type && item.key === key);
      expect(of('sink', 'http')).toEqual({
        ...{ key: 'http', type: 'sink', name: 'HTTP', description: expect.any(String), version: '1.1.0' },
        ...{ available: true, unavailable_reason: null, permitted: true, runtime: 'landlord' },
        activated_instances: [{ id: instance.id, key: 'hook', name: 'HTTP', status: 'pending' }],
      });
      expect(of('sink', 'iceberg')).toMatchObject({
        ...{ available: false, unavailable_reason: expect.stringContaining('do not contain'), permitted: true },
        activated_instances: [],
      });
      expect(of('sink', 'postgres')).toMatchObject({ available: true, permitted: true });
    });

    it('is listed in pages and by type', async () => {
      const sources = await cloud.main().get(`${catalogue}?type=source&results=3&page=2`);

      expect(sources.body).toMatchObject({ page: 2, total_results: 4, total_pages: 2 });
      expect(sources.body.items.map(({ type }: { type: string }) => type)).toEqual(['source']);
      expect(await cloud.main().get(`${catalogue}?type=drain`)).toBeProblem('validation_failed');
    });

    it('is permitted in a basic plan only if it is a basic connector', async () => {
      await cloud.rows(`update tenants set plan = 'basic' where id = $1`, [cloud.installation.tenant_id]);
      try {
        const { body } = await cloud.main().get(`${catalogue}?results=100`);
        const permitted = body.items.filter((item: { permitted: boolean }) => item.permitted);
        expect(permitted.map(({ key }: { key: string }) => key).sort()).toEqual(['http', 'random', 'stdout']);
        expect(await activate({ connector_type: 'sink', connector_key: 'postgres' })).toBeProblem(
          'plan_feature_required',
          { status: 403, feature: 'advanced_connectors_enabled' },
        );
        expect((await activate({ connector_type: 'sink', connector_key: 'stdout' })).status).toBe(202);
      } finally {
        await cloud.rows(`update tenants set plan = 'enterprise' where id = $1`, [cloud.installation.tenant_id]);
      }
    });
  });

  describe('that is activated', () => {
    it('exists at once with status pending, and with a first configuration that is disabled and active', async () => {
      const body = { connector_type: 'source', connector_key: 'random', instance_key: 'dice', instance_name: 'Dice' };
      const accepted = await activate(body);

      expect(accepted.status).toBe(202);
      const { id } = accepted.body;
      expect(accepted.body).toEqual({
        ...{ id, deployment_id: deployment, connector_type: 'source', connector_key: 'random' },
        ...{ name: 'Dice', key: 'dice', status: 'pending', config_id: expect.any(Number) },
      });
      expect(accepted.headers.get('ld-connector-instance')).toBe(String(id));
      expect(Number(accepted.headers.get('ld-operation'))).toBeGreaterThan(0);
      expect((await read(instances)).body).toEqual([
        expect.objectContaining({ ...accepted.body, version: '1.1.0', status_reason: null }),
      ]);
      expect((await read(`${configs('source:random')}/primary`)).body).toMatchObject({
        ...{ id: accepted.body.config_id, kind: 'connector:source:random', name: 'dice', version: 1, primary: true },
        runtime_version: '1.1.0',
        values: { enabled: false, streams: [], plugin_config: {}, transforms: {} },
      });
      expect(await audited('connector_activated')).toEqual([
        {
          data: {
            ...{ connector_type: 'source', connector_key: 'random', instance_key: 'dice', instance_id: id },
            version: '1.1.0',
          },
        },
      ]);
      expect(await operations()).toEqual([{ type: 'run_connectors', status: 'pending' }]);
    });

    it('gets a generated key and the name of the connector if the request has none', async () => {
      const { body } = await activate({ connector_type: 'sink', connector_key: 'stdout' });

      expect(body.key).toMatch(/^stdout_[0-9a-f]{8}$/);
      expect(body.name).toBe('Log');
    });

    it('is refused only while another activation is in progress', async () => {
      await activate({ connector_type: 'sink', connector_key: 'stdout', instance_key: 'one' });

      const second = { connector_type: 'sink', connector_key: 'stdout', instance_key: 'two' };
      expect(await activate(second)).toBeProblem('state_conflict', { operation_type: 'run_connectors' });
      expect(
        (await cloud.runtime().post(`/deployments/${deployment}/tasks`, { type: 'broker:reconfigure' })).status,
      ).toBe(202);
      await cloud.rows(
        `update operations set status = 'succeeded' where deployment_id = $1 and type = 'run_connectors'`,
        [deployment],
      );
      expect((await activate(second)).status).toBe(202);
    });

    it.each([
      ['that is in no catalogue', { connector_type: 'sink', connector_key: 'pigeon' }, 'connector_not_found', 404],
      [
        'that is one of the other type',
        { connector_type: 'source', connector_key: 'http' },
        'connector_not_found',
        404,
      ],
      [
        'that the nodes do not have',
        { connector_type: 'sink', connector_key: 'iceberg' },
        'connector_unavailable',
        409,
      ],
      ['of no type', { connector_key: 'http' }, 'validation_failed', 400],
      [
        'with a key that stands in no path',
        { connector_type: 'sink', connector_key: 'http', instance_key: 'My-Hook' },
        'validation_failed',
        400,
      ],
    ])('is refused for one %s', async (_, body, code, status) => {
      expect(await activate(body)).toBeProblem(code, { status });
      expect(await read(instances)).toMatchObject({ body: [] });
    });

    it('is refused with a key that is in use; the key is free after the deletion of its instance', async () => {
      const { body } = await activated('sink', 'stdout', 'log');

      const again = { connector_type: 'sink', connector_key: 'http', instance_key: 'log' };
      expect(await activate(again)).toBeProblem('name_taken', { status: 409, id: body.id });
      expect((await cloud.runtime().delete(`${instances}/${body.id}`)).status).toBe(204);
      expect((await activate(again)).status).toBe(202);
    });

    it('is refused for a deployment that is not ready', async () => {
      await cloud.rows(`update deployment_runtimes set status = 'creating' where deployment_id = $1`, [deployment]);

      expect(await activate({ connector_type: 'sink', connector_key: 'stdout' })).toBeProblem('state_conflict', {
        state: 'creating',
      });
    });

    it('requires the permission of connectors', async () => {
      const reader = await given.key(cloud, { permissions: { environment: ['deployment:connector:read'] } });

      expect(await activate({ connector_type: 'sink', connector_key: 'stdout' }, reader)).toBeProblem(
        'insufficient_permissions',
      );
      expect((await cloud.main(reader).get(catalogue)).status).toBe(200);
    });
  });

  describe('has configurations', () => {
    it('described by one section of its type and one of its plugin', async () => {
      const { status, body } = await read(`${configs('sink:http')}/schema`);

      expect(status).toBe(200);
      expect(body.map(({ key }: { key: string }) => key)).toEqual(['sink', 'plugin_config']);
      const entry = body[1].schema.find(({ key }: { key: string }) => key === 'headers');
      expect(entry).toMatchObject({ kind: 'map', secret: true, default_value: '********', restart_required: true });
      expect(await read(`${configs('sink:pigeon')}/schema`)).toBeProblem('connector_not_found');
    });

    it('that are versions of the key of an instance, with masks for secrets that a client can send back', async () => {
      await activated('sink', 'http', 'hook');
      const config = { url: URL, headers: { authorization: 'Bearer s3cret' } };
      const values = { enabled: true, streams: [STREAM], plugin_config: config };

      const saved = await save('sink:http', { name: 'hook', values });

      expect(saved.status).toBe(201);
      expect(saved.headers.get('ld-config')).toBe(String(saved.body.id));
      expect(saved.headers.get('location')).toBe(`${configs('sink:http')}/hook/versions`);
      expect(saved.body).toMatchObject({ name: 'hook', version: 2, primary: false, restart_required: true });
      const masked = { url: URL, headers: { authorization: '********' } };
      expect(saved.body.values.plugin_config).toEqual(masked);
      const again = await save('sink:http', { name: 'hook', values: { ...values, plugin_config: masked } });
      expect(again.body).toMatchObject({ version: 3, values: { plugin_config: masked } });
      const versions = await read(`${configs('sink:http')}/hook/versions`);
      expect(versions.body.map(({ version }: { version: number }) => version)).toEqual([3, 2, 1]);
      expect(JSON.stringify(versions.body)).not.toContain('s3cret');
      const [kept] = await cloud.rows<{ config_values: string }>(
        'select config_values from configs where deployment_id = $1 and version = 3',
        [deployment],
      );
      expect(kept?.config_values).not.toContain('s3cret');
      const strange = { ...values, plugin_config: { url: URL, headers: { cookie: '********' } } };
      expect(await save('sink:http', { name: 'hook', values: strange })).toBeProblem('validation_failed', {
        field_issues: [expect.objectContaining({ path: '/values/plugin_config/headers/cookie' })],
      });
    });

    it('whose secrets are kept only for the same scheme, host and port', async () => {
      await activated('sink', 'http', 'kept');
      const stored = { url: URL, headers: { authorization: 'Bearer s3cret' } };
      const post = (plugin_config: object) =>
        save('sink:http', { name: 'kept', values: { enabled: true, streams: [STREAM], plugin_config } });
      expect((await post(stored)).status).toBe(201);
      const masked = { authorization: '********' };

      for (const url of ['https://attacker.example/steal', 'https://service.example:8443/hook'])
        expect(await post({ url, headers: masked })).toBeProblem('secret_required', { status: 400 });

      const versions = await read(`${configs('sink:http')}/kept/versions`);
      expect(versions.body.map(({ version }: { version: number }) => version)).toEqual([2, 1]);
      expect((await post({ url: 'https://service.example/other', headers: masked })).status).toBe(201);
      const own = { url: 'https://attacker.example/own', headers: { authorization: 'Bearer own' } };
      expect((await post(own)).status).toBe(201);
    });

    it('that reconfigure the instance automatically when they are activated', async () => {
      await activated('sink', 'stdout', 'log');
      const values = { enabled: true, streams: [STREAM], plugin_config: { print_payload: true } };
      await save('sink:stdout', { name: 'log', values });
      expect(await operations()).toEqual([{ type: 'run_connectors', status: 'succeeded' }]);

      const done = await cloud.runtime().put(`${configs('sink:stdout')}/log/activate/2`, {});
      expect(done.status).toBe(204);
      expect(Number(done.headers.get('ld-operation'))).toBeGreaterThan(0);

      expect((await operations()).map(({ status }) => status)).toEqual(['succeeded', 'pending']);
      expect((await read(`/deployments/${deployment}/tasks`)).body).toMatchObject([
        { type: 'connectors:reconfigure', status: 'pending' },
        { type: 'connectors:reconfigure', status: 'completed' },
      ]);
      const { body } = await read(`/deployments/${deployment}/activities`);
      expect(body.total_results).toBe(3);
      expect(body.items[0]).toMatchObject({ runtime: 'connectors', status: 'processing' });
      expect((await read(`${configs('sink:stdout')}/primary`)).body).toMatchObject({ version: 2, primary: true });
      // A second activation is refused while the first one is being applied.
      const third = await save('sink:stdout', { name: 'log', values, activate: true });
      expect(third).toBeProblem('state_conflict', { operation_type: 'run_connectors' });
      await settled();
      expect((await save('sink:stdout', { name: 'log', values, activate: true })).body).toMatchObject({
        ...{ version: 3, primary: true },
      });
      expect(await audited('config_activated')).toHaveLength(2);
    });

    it('with one active configuration per instance', async () => {
      await activated('sink', 'stdout', 'one');
      await activated('sink', 'stdout', 'two');
      const primary = `${configs('sink:stdout')}/primary`;

      expect((await read(primary)).body).toMatchObject({ name: 'two', version: 1, primary: true });
      expect((await read(`${primary}?name=two`)).body).toMatchObject({ name: 'two', version: 1 });
      await save('sink:stdout', { name: 'two', values: {}, activate: true });
      expect((await read(`${primary}?name=one`)).body).toMatchObject({ name: 'one', version: 1, primary: true });
      expect((await read(`${primary}?name=two`)).body).toMatchObject({ name: 'two', version: 2, primary: true });
      expect((await read(primary)).body).toMatchObject({ name: 'two', version: 2 });
      expect(await read(`${primary}?name=three`)).toBeProblem('config_not_found');
    });

    it('only with the key of an instance of the same connector', async () => {
      await activated('sink', 'stdout', 'log');

      expect(await save('sink:stdout', { name: 'other', values: {} })).toBeProblem('connector_instance_not_found', {
        status: 404,
      });
      expect(await save('sink:http', { name: 'log', values: {} })).toBeProblem('connector_instance_not_found');
      expect(await save('sink:pigeon', { name: 'log', values: {} })).toBeProblem('connector_not_found');
      expect(await save('sink:stdout', { values: {} })).toBeProblem('validation_failed');
    });

    it('whose errors are all reported at once', async () => {
      await activated('source', 'random', 'dice');
      const values = { enabled: true, streams: [{ stream: 's', topics: ['a', 'b'] }], plugin_config: { interval: 3 } };

      const refused = await save('source:random', { name: 'dice', values });

      expect(refused).toBeProblem('validation_failed', { status: 400 });
      expect(refused.body.field_issues.map(({ path }: { path: string }) => path)).toEqual([
        '/values/streams/0/topics',
        '/values/plugin_config/interval',
      ]);
    });

    it.each([
      ['a private address', 'https://10.0.0.1/hook'],
      ['this machine, however it is spelled', 'https://0x7f.1/hook'],
      ['a service without encryption', 'http://service.example/hook'],
    ])('that send to %s only if the operator allows it', async (_, url) => {
      await activated('sink', 'http', 'hook');

      expect(await save('sink:http', { name: 'hook', values: { plugin_config: { url } } })).toBeProblem(
        'validation_failed',
        { field_issues: [expect.objectContaining({ path: '/values/plugin_config/url' })] },
      );
    });

    it('that are deleted by id, unless the instance uses them or will use them', async () => {
      await activated('sink', 'stdout', 'log');
      const first = (await read(`${configs('sink:stdout')}/primary`)).body.id;
      const { body: second } = await save('sink:stdout', { name: 'log', values: {}, activate: true });
      await settled();
      const remove = (id: number) => cloud.runtime().delete(`${configs('sink:stdout')}/${id}`);

      expect(await remove(second.id)).toBeProblem('primary_config_undeletable');
      expect(await remove(first)).toBeProblem('state_conflict', { state: 'applied' });
      await cloud.rows('update connector_instances set config_id = $2 where deployment_id = $1', [
        deployment,
        second.id,
      ]);
      expect((await remove(first)).status).toBe(204);
      expect(await remove(first)).toBeProblem('config_not_found');
    });
  });

  it('is deleted with its configurations, and their version numbers are not reused', async () => {
    const { body } = await activated('sink', 'stdout', 'log');
    await save('sink:stdout', { name: 'log', values: {} });

    expect((await cloud.runtime().delete(`${instances}/${body.id}`)).status).toBe(204);

    expect((await read(instances)).body).toEqual([]);
    expect(await read(`${configs('sink:stdout')}/log/versions`)).toBeProblem('config_not_found');
    expect(await cloud.runtime().delete(`${instances}/${body.id}`)).toBeProblem('connector_instance_not_found');
    expect((await audited('connector_deleted')).map(({ data }) => data)).toEqual([
      { connector_type: 'sink', connector_key: 'stdout', instance_key: 'log', instance_id: body.id, version: '1.1.0' },
    ]);
    await activated('sink', 'stdout', 'log');
    const versions = async () =>
      (await read(`${configs('sink:stdout')}/log/versions`)).body.map(({ version }: { version: number }) => version);
    expect(await versions()).toEqual([3]);
    await save('sink:stdout', { name: 'log', values: {} });
    expect(await versions()).toEqual([4, 3]);
  });

  it('accepts activities and tasks once an instance exists', async () => {
    const activities = `/deployments/${deployment}/activities/connectors`;
    const tasks = `/deployments/${deployment}/tasks`;
    expect(await cloud.runtime().post(`${activities}/restart`, {})).toBeProblem('state_conflict', {
      state: 'inactive',
    });
    expect(await cloud.runtime().post(tasks, { type: 'connectors:reconfigure' })).toBeProblem('state_conflict');
    const { body } = await activated('sink', 'stdout', 'log');

    const task = await cloud.runtime().post(tasks, { type: 'connectors:reconfigure' });
    expect(task.status).toBe(202);
    expect(task.body).toMatchObject({ type: 'connectors:reconfigure', status: 'pending', config_id: null });
    expect(task.body.nodes).toHaveLength(3);
    expect(await cloud.runtime().post(`${activities}/stop`, {})).toBeProblem('state_conflict');
    await settled();
    expect((await cloud.runtime().post(`${activities}/stop`, {})).status).toBe(202);
    await settled();
    const config = (await read(instances)).body[0].config_id;
    expect((await cloud.runtime().post(`${activities}/reconfigure:${config}`, {})).status).toBe(202);
    await settled();
    const broker = (await read(`/deployments/${deployment}/configs/broker/primary`)).body.id;
    expect(await cloud.runtime().post(`${activities}/reconfigure:${broker}`, {})).toBeProblem('config_not_found');
    expect(
      await cloud.runtime().post(`/deployments/${deployment}/activities/broker/reconfigure:${config}`, {}),
    ).toBeProblem('config_not_found');
    expect(body.id).toBeGreaterThan(0);
  });
});
