import { given, type ApiAnswer } from '@libs/testing';
import { TestMainApi } from '../../test/test-main-api.fixture.js';

describe('The organization', () => {
  let cloud: TestMainApi;

  beforeAll(async () => {
    cloud = await TestMainApi.open();
  });
  afterAll(() => cloud.close());

  it('shows the tenant with the limits and flags of its plan', async () => {
    const { status, body } = await cloud.main().get(cloud.tenant);

    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: cloud.installation.tenant_id,
      has_payment_method: true,
      starter_available: true,
      has_custom_email_domain: false,
    });
    expect(body.features).toMatchObject({ concurrent_deployments_limit: 100, byoc_enabled: true });
    expect(body.features.deployment_tiers).toContainEqual({ tier: '16xlarge', limit: 5 });
    expect(body.subscription).toMatchObject({ plan: 'enterprise', active: true });
  });

  it('creates, changes and deletes a division', async () => {
    const created = await cloud
      .main()
      .post(`${cloud.tenant}/divisions`, { name: 'Payments', email: 'pay@example.com' });
    const path = created.headers.get('location') ?? '';
    const read = await cloud.main().get(path);

    expect(created.status).toBe(201);
    expect(created.headers.get('ld-division')).toBe(String(created.body.id));
    expect(read.body).toEqual(created.body);
    expect((await cloud.main().put(path, { description: 'Cards' })).status).toBe(204);
    expect((await cloud.main().get(path)).body).toMatchObject({ name: 'Payments', description: 'Cards' });
    expect((await cloud.main().delete(path)).status).toBe(204);
    expect(await cloud.main().get(path)).toBeProblem('division_not_found');
  });

  it('accepts a PUT of the record that was read, which changes and records nothing', async () => {
    const { body } = await cloud.main().get(cloud.division);
    const before = await cloud.rows('select count(*) from audit_entries');

    const same = await cloud.main().put(cloud.division, body);
    const foreign = await cloud.main().put(cloud.division, { ...body, id: 99, unheard: true });

    expect(same.status).toBe(204);
    expect((await cloud.main().get(cloud.division)).body).toEqual(body);
    expect(await cloud.rows('select count(*) from audit_entries')).toEqual(before);
    expect(foreign).toBeProblem('validation_failed');
    expect(foreign.body.field_issues.map(({ path }: { path: string }) => path).sort()).toEqual(['/id', '/unheard']);
  });

  it('refuses a change of a record that has changed since it was read', async () => {
    const read = await cloud.main().get(cloud.environment);
    const etag = read.headers.get('etag') ?? '';
    await cloud.main().put(cloud.environment, { description: 'moved on' });

    const late = await cloud.main().put(cloud.environment, { description: 'late' }, { 'if-match': etag });
    const unchanged = await cloud.main().get(cloud.environment, { 'if-none-match': etag });
    const fresh = await cloud.main().get(cloud.environment);

    expect(etag).toMatch(/^"[\w-]+"$/);
    expect(late).toBeProblem('precondition_failed', { status: 412 });
    expect(unchanged.status).toBe(200);
    expect(
      (await cloud.main().get(cloud.environment, { 'if-none-match': fresh.headers.get('etag') ?? '' })).status,
    ).toBe(304);
  });

  it('keeps names unique within their parent, ignoring case', async () => {
    const answer = await cloud.main().post(`${cloud.tenant}/divisions`, { name: 'DEFAULT' });
    const environment = await cloud.main().post(`${cloud.division}/environments`, { name: 'Sandbox' });

    expect(answer).toBeProblem('name_taken', { status: 409, id: cloud.installation.division_id });
    expect(environment).toBeProblem('name_taken', { id: cloud.installation.environment_id });
  });

  it('pages newest first, with links, and an empty page past the end', async () => {
    for (const name of ['one', 'two', 'three']) await cloud.main().post(`${cloud.division}/environments`, { name });

    const first = await cloud.main().get(`${cloud.division}/environments?results=2`);
    const past = await cloud.main().get(`${cloud.division}/environments?results=2&page=9`);

    expect(first.body).toMatchObject({ page: 1, total_results: 4, total_pages: 2 });
    expect(first.body.items.map(({ name }: { name: string }) => name)).toEqual(['three', 'two']);
    expect(first.headers.get('link')).toMatch(/[?&]page=2&cursor=[\w-]+>; rel="next"/);
    expect(past.body).toEqual({ items: [], page: 9, total_results: 4, total_pages: 2 });
  });

  it('deletes an environment only when it is empty, and a protected one only with a code', async () => {
    const { body } = await cloud.main().post(`${cloud.division}/environments`, { name: 'guarded', protected: true });
    const path = `${cloud.division}/environments/${body.id}`;

    expect(await cloud.main().delete(path)).toBeProblem('protection_code_required', { status: 400 });
    expect(await cloud.main().delete(`${path}?code=ABCDEFGH`)).toBeProblem('protection_code_invalid');
    await cloud.main().put(path, { protected: false });
    expect((await cloud.main().delete(path)).status).toBe(204);
  });

  it('deletes a division with a protected environment only with a code, and records each environment', async () => {
    const { body: division } = await cloud.main().post(`${cloud.tenant}/divisions`, { name: 'Crowded' });
    const path = `${cloud.tenant}/divisions/${division.id}`;
    await cloud.main().post(`${path}/environments`, { name: 'open' });
    const { body: guarded } = await cloud.main().post(`${path}/environments`, { name: 'guarded', protected: true });

    expect(await cloud.main().delete(path)).toBeProblem('protection_code_required', { status: 400 });
    await cloud.main().put(`${path}/environments/${guarded.id}`, { protected: false });
    expect((await cloud.main().delete(path)).status).toBe(204);

    const { body } = await cloud.main().get(`/audit${cloud.tenant}?division=${division.id}&results=3`);
    const author = { api_key: { name: 'bootstrap' } };
    expect(body.items).toMatchObject([
      { type: 'division_deleted', environment: null, ...author },
      { type: 'environment_deleted', environment: { name: 'guarded' }, data: { name: 'guarded' }, ...author },
      { type: 'environment_deleted', environment: { name: 'open' }, division: { name: 'Crowded' }, ...author },
    ]);
    const events = await cloud.rows(
      `select type, subject from outbox where division_id = $1 and type like '%_deleted' order by id`,
      [division.id],
    );
    expect(events).toEqual([
      { type: 'environment_deleted', subject: 'Environment open was deleted' },
      { type: 'environment_deleted', subject: 'Environment guarded was deleted' },
      { type: 'division_deleted', subject: 'Division Crowded was deleted' },
    ]);
  });

  it('filters lists by the permissions of the key', async () => {
    const { body } = await cloud.main().post(`${cloud.tenant}/divisions`, { name: 'Hidden' });
    const scoped = await given.key(cloud, { divisionId: body.id });

    const answer = await cloud.main(scoped).get(`${cloud.tenant}/divisions`);

    expect(answer.body.items.map(({ name }: { name: string }) => name)).toEqual(['Hidden']);
    expect(answer.body.total_results).toBe(1);
  });

  it('stops at the limits of the plan, also for many requests at the same time', async () => {
    const other = await given.tenant(cloud, 'pro');
    const key = await given.key(cloud, { tenantId: other.tenantId });

    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        cloud.main(key).post(`/tenants/${other.tenantId}/divisions`, { name: `d${n}` }),
      ),
    );

    expect(statuses(answers)).toEqual([201, 201, 409, 409, 409, 409, 409, 409]);
    expect(answers.find(({ status }) => status === 409)).toBeProblem('plan_limit_reached', { limit: 3, usage: 3 });
  });

  it('shows a key its own properties', async () => {
    const { division_id } = cloud.installation;
    const permissions = { environment: ['deployment:read' as const] };
    const key = await given.key(cloud, { permissions, divisionId: division_id });

    const { status, body } = await cloud.main(key).get(`${cloud.tenant}/api_keys/context`);

    expect(status).toBe(200);
    expect(body).toMatchObject({ name: 'test', division_id, division_name: 'Default', validate_ip: false });
    expect(body.permissions).toMatchObject({ environment: ['deployment:read'], tenant: [] });
    expect(JSON.stringify(body)).not.toContain(key);
  });
});

const statuses = (answers: ApiAnswer[]): number[] => answers.map(({ status }) => status).sort();
