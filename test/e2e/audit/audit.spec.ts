import { AUDIT_TYPES } from '@libs/domain';
import { TenantCommands } from '@libs/operator';
import { eventually, given, TestCloud, type ApiAnswer } from '@libs/testing';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const TRACE_UUID = '4bf92f35-77b3-4da6-a3ce-929d0e0e4736';

describe('The audit', () => {
  let cloud: TestCloud;
  let audit = '';

  beforeAll(async () => {
    cloud = await TestCloud.borrow();
    audit = `/audit${cloud.tenant}`;
  });
  afterAll(() => cloud.stop());

  it('lists all its types for a key that may read the audit', async () => {
    const reader = await given.key(cloud, { permissions: { tenant: ['audit:read'] } });

    const { status, body } = await cloud.main(reader).get('/audit/types');

    expect(status).toBe(200);
    expect(body).toEqual(Object.keys(AUDIT_TYPES).sort());
    expect(await cloud.main(null).get('/audit/types')).toBeProblem('unauthenticated');
  });

  it('shows an entry as the contract describes it', async () => {
    const traceparent = { traceparent: `00-${TRACE}-00f067aa0ba902b7-01` };
    const { body: division } = await cloud
      .main()
      .post(`${cloud.tenant}/divisions`, { name: 'Shown', email: 'shown@example.com' }, traceparent);

    const { body } = await cloud.main().get(`${audit}?results=1`);

    const [entry] = body.items;
    expect(entry).toEqual({
      id: expect.any(Number),
      type: 'division_created',
      name: 'Division created',
      author: { id: expect.any(Number), name: expect.any(String) },
      api_key: { id: expect.any(Number), name: expect.any(String) },
      user: null,
      division: { id: division.id, name: 'Shown' },
      environment: null,
      deployment: null,
      data: { name: 'Shown', description: null, email: 'shown@example.com', protected: false },
      correlation_id: TRACE_UUID,
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    for (const spelling of [TRACE, TRACE_UUID, TRACE.toUpperCase()])
      expect((await cloud.main().get(`${audit}?correlation_id=${spelling}`)).body.items).toEqual([entry]);
  });

  it('omits the key of an entry without a key, and the author of an entry without an author', async () => {
    await cloud.rows(
      `insert into audit_entries (retention_class, tenant_id, type) values (365, $1, 'operation_failed')`,
      [cloud.installation.tenant_id],
    );

    const { body } = await cloud.main().get(`${audit}?types=operation_failed`);

    expect(body.items[0]).toMatchObject({ author: null, data: null, correlation_id: null });
    expect(body.items[0]).not.toHaveProperty('api_key');
  });

  it('finds the changes of the operator with author 0', async () => {
    await cloud.asOperator((session) =>
      new TenantCommands(session).setPlan(cloud.installation.tenant_id, 'enterprise', ['divisions_limit=90']),
    );

    const { body } = await cloud.main().get(`${audit}?author=0`);

    expect(body).toMatchObject({ total_results: 1, items: [{ type: 'tenant_plan_changed', author: { id: 0 } }] });
  });

  it('combines all filters, and its pages fit together from both ends', async () => {
    const { body: division } = await cloud.main().post(`${cloud.tenant}/divisions`, { name: 'Filtered' });
    const path = `${cloud.tenant}/divisions/${division.id}`;
    const began = new Date().toISOString();
    for (let n = 0; n < 7; n += 1) await cloud.main().post(`${path}/environments`, { name: `e${n}` });
    const { body: all } = await cloud.main().get(`${audit}?division=${division.id}&results=100`);
    const pages = await Promise.all(
      [1, 2, 3, 4, 5].map((page) => cloud.main().get(`${audit}?division=${division.id}&results=2&page=${page}`)),
    );
    const only = all.items[3];

    expect(all.total_results).toBe(8);
    expect(all.items.map(({ id }: { id: number }) => id)).toEqual(idsOf(all.items).sort((a, b) => b - a));
    expect(pages.flatMap(({ body }) => body.items)).toEqual(all.items);
    expect(pages.map(({ body }) => body.total_pages)).toEqual([4, 4, 4, 4, 4]);
    for (const filter of [
      `environment=${only.environment.id}`,
      `environment=${only.environment.id}&division=${division.id}&author=${only.author.id}&api_key=${only.api_key.id}`,
      `types=environment_created,division_created&environment=${only.environment.id}&from=${began}`,
      `correlation_id=${only.correlation_id}`,
    ])
      expect((await cloud.main().get(`${audit}?${filter}`)).body).toMatchObject({ total_results: 1, items: [only] });
    const since = await cloud.main().get(`${audit}?division=${division.id}&from=${began}&types=environment_created`);
    const before = await cloud.main().get(`${audit}?division=${division.id}&to=${began}`);
    expect([since.body.total_results, before.body.total_results]).toEqual([7, 1]);
    const [owner] = await cloud.rows<{ id: number }>('select owner_id::int as id from tenants where id = $1', [
      cloud.installation.tenant_id,
    ]);
    expect((await cloud.main().get(`${audit}?user=${owner?.id}&division=${division.id}`)).body.total_results).toBe(0);
  });

  it.each([
    ['types=division_created,nonsense', 'types'],
    ['from=yesterday', 'from'],
    ['to=2026-02-30', 'to'],
    ['from=2026-01-01T25:00:00Z', 'from'],
    ['correlation_id=123', 'correlation_id'],
    ['author=-1', 'author'],
    ['user=0', 'user'],
    ['deployment=9007199254740993', 'deployment'],
    ['results=101', 'results'],
  ])('refuses %s and names the member', async (query, member) => {
    const answer = await cloud.main().get(`${audit}?${query}`);

    expect(answer).toBeProblem('validation_failed', { status: 400 });
    const paths = answer.body.field_issues.map(({ path }: { path: string }) => path);
    expect([...new Set(paths)]).toEqual([`/${member}`]);
  });

  it('accepts dates with and without time, milliseconds and offset', async () => {
    const spellings = [
      '2026-01-01',
      '2026-01-01T00:00',
      '2026-01-01T02:00:00%2B02:00',
      '2026-01-01T02:00:00+02:00',
      '2026-01-01T00:00:00.000Z',
      '2025-12-31T19:00:00.000000-0500',
    ];

    const answers = await Promise.all(
      spellings.map((from) => cloud.main().get(`${audit}?to=${from}&from=2025-12-31T23:59:59.999Z`)),
    );

    expect(answers.map(({ status, body }) => [status, body.total_results])).toEqual(spellings.map(() => [200, 0]));
  });

  it('shows a key of one division only the entries of this division', async () => {
    const { body: division } = await cloud.main().post(`${cloud.tenant}/divisions`, { name: 'Scoped' });
    const scoped = await given.key(cloud, { permissions: { tenant: ['audit:read'] }, divisionId: division.id });

    const own = await cloud.main(scoped).get(audit);
    const other = await cloud.main(scoped).get(`${audit}?division=${cloud.installation.division_id}`);
    const exported = await cloud.main(scoped).get(`${audit}/export`);

    expect(own.body).toMatchObject({ total_results: 1, items: [{ division: { id: division.id } }] });
    expect(other.body).toMatchObject({ total_results: 0, items: [] });
    expect(linesOf(exported)).toEqual(own.body.items);
    expect(await cloud.main(scoped).get(`${audit}/verify`)).toBeProblem('insufficient_permissions');
  });

  it('requires audit:read, in the tenant of the key', async () => {
    const blind = await given.key(cloud, { permissions: { tenant: ['info:read'] } });
    const other = await given.tenant(cloud);
    const foreign = await given.key(cloud, { tenantId: other.tenantId });

    for (const path of [audit, `${audit}/export`, `${audit}/verify`]) {
      expect(await cloud.main(blind).get(path)).toBeProblem('insufficient_permissions', { permission: 'audit:read' });
      expect(await cloud.main(foreign).get(path)).toBeProblem('tenant_not_found');
    }
  });

  it('hides entries past the retention of the plan at once, and counts only the visible ones', async () => {
    const { tenantId } = await given.tenant(cloud, 'enterprise');
    const key = await given.key(cloud, { tenantId });
    await cloud.rows(
      `insert into audit_entries (retention_class, tenant_id, type, created_at)
       select 365, $1, 'division_created', now() - make_interval(hours => n) from generate_series(1, 20 * 24) n
        where now() - make_interval(hours => n) >= date_trunc('month', now() at time zone 'utc') at time zone 'utc'`,
      [tenantId],
    );
    const [there] = await cloud.rows<{ all: number; week: number }>(
      `select count(*)::int as all, (count(*) filter (where created_at >= now() - interval '7 days'))::int as week
         from audit_entries where tenant_id = $1`,
      [tenantId],
    );
    const totals = async (): Promise<number[]> => [
      (await cloud.main(key).get(`/audit/tenants/${tenantId}`)).body.total_results,
      (await cloud.main(key).get(`/audit/tenants/${tenantId}?types=division_created`)).body.total_results,
    ];

    const before = await totals();
    await isSealed(cloud, tenantId);
    const sealed = await totals();
    await cloud.rows(`update tenants set plan = 'basic' where id = $1`, [tenantId]);
    const after = await totals();

    expect(before).toEqual([there?.all, there?.all]);
    expect(sealed).toEqual(before);
    expect(after).toEqual([there?.week, there?.week]);
    expect(await cloud.main(key).get(`/audit/tenants/${tenantId}/export`)).toBeProblem('plan_feature_required', {
      status: 403,
      feature: 'audit_export_enabled',
    });
  });

  it('seals each entry, and detects a changed entry', async () => {
    await cloud.main().post(`${cloud.tenant}/divisions`, { name: 'Sealed' });
    await isSealed(cloud, cloud.installation.tenant_id);

    const whole = await cloud.main().get(`${audit}/verify`);
    const proof = `sequence=${whole.body.sealed_up_to}&hash=${whole.body.seal_hash}`;

    expect(whole.body).toMatchObject({ valid: true, unsealed: 0, sealed_at: expect.any(String) });
    expect((await cloud.main().get(`${audit}/verify?${proof}`)).body.valid).toBe(true);
    const wrong = await cloud.main().get(`${audit}/verify?sequence=1&hash=${'0'.repeat(64)}`);
    expect(wrong.body).toMatchObject({ valid: false, first_break: { sequence: 1, reason: 'seal_differs' } });
    expect(await cloud.main().get(`${audit}/verify?sequence=1`)).toBeProblem('validation_failed');

    await cloud.rows(`begin; set local session_replication_role = replica;
      update audit_entries set author_name = 'eve' where data ->> 'name' = 'Sealed'; commit`);
    const { body } = await cloud.main().get(`${audit}/verify`);
    expect(body).toMatchObject({ valid: false, first_break: { reason: 'entries_changed' } });
  });

  it('seals entries of an app that does not seal, and that has no rights on the queue of seals', async () => {
    const { tenantId } = await given.tenant(cloud);
    const key = await given.key(cloud, { tenantId });
    const text = `insert into audit_entries (retention_class, tenant_id, type) values (365, $1, 'operation_failed')`;
    await cloud.asSupervisor((database) => database.query({ name: '', text }, [tenantId]));

    const queueing = cloud.asSupervisor((database) => database.query({ name: '', text: 'delete from audit_unsealed' }));
    await expect(queueing).rejects.toMatchObject({ code: '42501' });
    await isSealed(cloud, tenantId);

    const { body } = await cloud.main(key).get(`/audit/tenants/${tenantId}/verify`);
    expect(body).toMatchObject({ valid: true, sealed_up_to: 1, unsealed: 0 });
  });

  it('is exported completely, oldest first, one JSON document per line', async () => {
    const own = await given.cloudOf(cloud, await given.tenant(cloud));
    const api = own.main();
    const entries = `/audit${own.tenant}`;
    await own.rows(
      `insert into audit_entries (retention_class, tenant_id, type) values (365, $1, 'operation_failed')`,
      [own.installation.tenant_id],
    );
    const { body: division } = await api.post(`${own.tenant}/divisions`, { name: 'Exported' });
    const environments = `${own.tenant}/divisions/${division.id}/environments`;
    for (let n = 0; n < 7; n += 1) await api.post(environments, { name: `e${n}` });
    const { body } = await api.get(`${entries}?results=100`);

    const exported = await api.get(`${entries}/export`);
    const filtered = await api.get(`${entries}/export?types=environment_created`);

    expect(body.items).toHaveLength(9);
    expect(exported.status).toBe(200);
    expect(exported.headers.get('content-type')).toMatch(/^application\/x-ndjson/);
    expect(exported.headers.get('content-disposition')).toBe(
      `attachment; filename="audit-${own.installation.tenant_id}.ndjson"`,
    );
    expect(linesOf(exported)).toEqual([...body.items].reverse());
    expect(linesOf(filtered)).toHaveLength(7);
    expect(await api.get(`${entries}/export?to=2020-01-01`)).toMatchObject({ status: 200, body: null });
    expect(await api.get(`${entries}/export?types=nonsense`)).toBeProblem('validation_failed');
  });
});

const idsOf = (items: { id: number }[]): number[] => items.map(({ id }) => id);

const linesOf = ({ body }: ApiAnswer): unknown[] =>
  (typeof body === 'string' ? body.trimEnd().split('\n') : [JSON.stringify(body)]).map(
    (line) => JSON.parse(line) as unknown,
  );

async function isSealed(cloud: TestCloud, tenantId: number): Promise<void> {
  await eventually('every entry is sealed', async () => {
    return (await cloud.rows('select 1 from audit_unsealed where tenant_id = $1 limit 1', [tenantId])).length === 0;
  });
}
