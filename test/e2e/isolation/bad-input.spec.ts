import { gzipSync } from 'node:zlib';
import { given, TestCloud } from '@libs/testing';

const JSON_TYPE = 'application/json';
const JSON_PATCH = { 'content-type': 'application/merge-patch+json' };
const UTF_16 = { 'content-type': `${JSON_TYPE}; charset=utf-16` };
const GZIP = { 'content-type': JSON_TYPE, 'content-encoding': 'gzip' };
const counted = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, 1]));

describe('Bad input', () => {
  let cloud: TestCloud;
  let base: string;
  const paid = {
    name: 'p',
    cloud: 'aws',
    region: 'us-east-1',
    tier: 'small',
    cluster: 'cluster',
    managed_tier: 'standard',
  };

  beforeAll(async () => {
    cloud = await TestCloud.borrow();
    base = `${cloud.environment}/deployments`;
  });
  afterAll(() => cloud.stop());

  it('returns the same body for every invalid key', async () => {
    const deleted = await given.key(cloud);
    const changed = cloud.key.slice(0, -1) + (cloud.key.endsWith('x') ? 'y' : 'x');
    await cloud.rows(`delete from api_keys where name = 'test'`);

    const answers = await Promise.all(
      [null, 'nonsense', 'ld_a_b_c', deleted, changed].map((key) => cloud.main(key).get(cloud.tenant)),
    );

    for (const answer of answers) expect(answer).toBeProblem('unauthenticated', { status: 401 });
    const bodies = answers.map(({ body }) => JSON.stringify({ ...body, instance: '' }));
    expect(new Set(bodies).size).toBe(1);
  });

  it('names the reason for an expired key and for a foreign address', async () => {
    const expired = await given.key(cloud, { expired: true });
    const elsewhere = await given.key(cloud, { allowedIps: ['203.0.113.0/24'] });
    const here = await given.key(cloud, { allowedIps: ['127.0.0.0/8'] });

    expect(await cloud.main(expired).get(cloud.tenant)).toBeProblem('api_key_expired', { status: 401 });
    expect(await cloud.main(elsewhere).get(cloud.tenant)).toBeProblem('ip_not_allowed', {
      status: 403,
      ip: '127.0.0.1',
    });
    expect((await cloud.main(here).get(cloud.tenant)).status).toBe(200);
  });

  it('does not disclose resources of another tenant or another division', async () => {
    const other = await given.tenant(cloud);
    const theirs = `/tenants/${other.tenantId}`;
    const { body } = await cloud.main().post(`${cloud.tenant}/divisions`, { name: 'Second' });
    const scoped = await given.key(cloud, { divisionId: body.id });

    expect(await cloud.main().get(theirs)).toBeProblem('tenant_not_found', { status: 404 });
    expect(await cloud.main().get(`${cloud.tenant}/divisions/${other.divisionId}`)).toBeProblem('division_not_found');
    expect(await cloud.main().get(`${cloud.division}/environments/${other.environmentId}`)).toBeProblem(
      'environment_not_found',
    );
    expect(await cloud.main(scoped).get(cloud.division)).toBeProblem('division_not_found', { status: 404 });
    expect(await cloud.main(scoped).get(`${cloud.tenant}/divisions/${body.id}`)).toMatchObject({ status: 200 });
  });

  it('names the missing permission and its scope', async () => {
    const reader = await given.key(cloud, { permissions: { environment: ['deployment:read'] } });

    const answer = await cloud.main(reader).post(`${base}/managed`, paid);

    const { tenant_id, division_id, environment_id } = cloud.installation;
    const scope = { tenant_id, division_id, environment_id };
    expect(answer).toBeProblem('insufficient_permissions', { status: 403, permission: 'deployment:manage', scope });
  });

  it('refuses in order: key, scope, permission, body', async () => {
    const reader = await given.key(cloud, { permissions: { environment: ['deployment:read'] } });
    const broken = { raw: '{', headers: { 'content-type': 'text/plain' } };

    expect(await cloud.main(null).call('POST', `/tenants/x/divisions`, broken)).toBeProblem('unauthenticated');
    expect(await cloud.main(reader).call('POST', `/tenants/x/divisions`, broken)).toBeProblem('tenant_not_found');
    expect(await cloud.main(reader).call('POST', `${cloud.tenant}/divisions`, broken)).toBeProblem(
      'insufficient_permissions',
    );
    expect(await cloud.main().call('POST', `${cloud.tenant}/divisions`, broken)).toBeProblem('unsupported_media_type');
  });

  it.each([
    ['malformed JSON', { raw: '{"name":' }, 'malformed_json', 400],
    [
      'a wrong content type',
      { raw: 'name=x', headers: { 'content-type': 'text/plain' } },
      'unsupported_media_type',
      415,
    ],
    ['more than 1 MiB', { raw: JSON.stringify({ name: 'x'.repeat(1024 * 1024) }) }, 'payload_too_large', 413],
    ['more than 64 KiB', { body: { name: 'x'.repeat(64 * 1024) } }, 'payload_too_large', 413],
    ['a type that is almost JSON', { raw: '{}', headers: JSON_PATCH }, 'unsupported_media_type', 415],
    ['another charset', { raw: '{}', headers: UTF_16 }, 'unsupported_media_type', 415],
    ['a byte that is not UTF-8', { raw: Buffer.from('{"name":"x\xff"}', 'latin1') }, 'malformed_json', 400],
    [
      'ten megabytes of zeros, compressed',
      { raw: gzipSync(Buffer.alloc(10_000_000)), headers: GZIP },
      'payload_too_large',
      413,
    ],
    ['levels without end', { raw: `{"name":${'['.repeat(30_000)}` }, 'validation_failed', 400],
    ['a thousand and one members', { body: counted(1001) }, 'validation_failed', 400],
    ['a thousand and one entries', { body: { name: new Array(1001).fill(1) } }, 'validation_failed', 400],
    ['half a surrogate pair', { body: { name: 'x\ud800' } }, 'validation_failed', 400],
    ['a name of blanks', { body: { name: ' \t ' } }, 'validation_failed', 400],
    ['an array', { body: [] }, 'validation_failed', 400],
    ['the character NUL', { body: { name: 'a\0b' } }, 'validation_failed', 400],
  ])('refuses %s', async (_, call, code, status) => {
    expect(await cloud.main().call('POST', `${cloud.tenant}/divisions`, call)).toBeProblem(code, { status });
  });

  it('refuses a large body without a key', async () => {
    const body = { email: `${'x'.repeat(20_000)}@example.com`, password: 'x' };

    expect(await cloud.main(null).post('/account/sign_in', body)).toBeProblem('payload_too_large', { status: 413 });
  });

  it('lists at most 100 errors, and reports how many more there are', async () => {
    const answer = await cloud.main().post(`${cloud.tenant}/roles`, {
      name: 'r',
      permissions: { tenant: Array.from({ length: 1000 }, (_, index) => `no such permission ${index}`) },
    });

    expect(answer).toBeProblem('validation_failed', { status: 400 });
    expect(answer.body.field_issues).toHaveLength(100);
    expect(answer.body.detail).toContain('and 999 more');
  });

  it('truncates a long member name in the refusal', async () => {
    const answer = await cloud.main().post(`${cloud.tenant}/divisions`, { name: 'd', ['x'.repeat(50_000)]: 1 });

    expect(answer).toBeProblem('validation_failed', { status: 400 });
    expect(JSON.stringify(answer.body).length).toBeLessThan(1_500);
  });

  it('replays small refusals of an idempotency key, and validates large ones again', async () => {
    const post = (body: object, key: string) =>
      cloud.main().post(`${cloud.tenant}/divisions`, body, { 'idempotency-key': key });
    const large = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`${'x'.repeat(290)}${index}`, 1]));

    await post({ name: '' }, 'small');
    await post(large, 'large');

    expect((await post({ name: '' }, 'small')).headers.get('idempotent-replayed')).toBe('true');
    expect(await post(large, 'large')).toBeProblem('validation_failed');
    const kept = await cloud.rows(`select 1 from idempotency_records where key in ('small', 'large')`);
    expect(kept).toHaveLength(1);
  });

  it('normalizes the Unicode form of names and trims them', async () => {
    const { body } = await cloud.main().post(`${cloud.tenant}/divisions`, { name: '  Cafe\u0301 ' });

    expect(body.name).toBe('Caf\u00e9');
  });

  it.each(['/tenants/%zz', '/tenants/%ff'])('answers 404 for the path %s, which is not UTF-8', async (path) => {
    expect(await cloud.main().get(path)).toBeProblem('route_not_found', { status: 404 });
  });

  it('lists all errors of a body at once, including unknown members', async () => {
    const answer = await cloud
      .main()
      .post(`${cloud.tenant}/divisions`, { name: '', email: 'x', protected: 'yes', colour: 'red' });

    expect(answer).toBeProblem('validation_failed', { status: 400 });
    const paths = answer.body.field_issues.map(({ path }: { path: string }) => path);
    expect([...new Set(paths)].sort()).toEqual(['/colour', '/email', '/name', '/protected']);
  });

  it.each(['abc', '0', '-1', '1.5', '01', '9007199254740993', '99999999999999999999', '%00'])(
    'answers 404, never 500, for the path id %s',
    async (id) => {
      expect(await cloud.main().get(`${cloud.tenant}/divisions/${id}`)).toBeProblem('division_not_found', {
        status: 404,
      });
      expect(await cloud.main().get(`${cloud.tenant}/operations/${id}`)).toBeProblem('operation_not_found', {
        status: 404,
      });
    },
  );

  it.each(['results=0', 'results=101', 'results=abc', 'page=0', 'page=-1', 'page=1.5', 'results='])(
    'refuses the paging query %s',
    async (query) => {
      expect(await cloud.main().get(`${cloud.tenant}/divisions?${query}`)).toBeProblem('validation_failed', {
        status: 400,
      });
    },
  );

  it.each([
    ['a region of another cloud', { region: 'us-central1' }, '/region'],
    ['a tier that the region lacks', { region: 'sa-east-1', tier: '16xlarge' }, '/tier'],
    ['cluster for Free', { tier: 'free', managed_tier: undefined }, '/cluster'],
    ['standalone for paid', { cluster: 'standalone' }, '/cluster'],
    ['multi_az without enterprise', { availability_mode: 'multi_az' }, '/availability_mode'],
    ['local_ssd without performance', { storage: { type: 'local_ssd' } }, '/storage/type'],
    [
      'local_ssd with a size',
      { managed_tier: 'performance', storage: { type: 'local_ssd', size: 200 } },
      '/storage/size',
    ],
    ['paid without terms', { managed_tier: undefined }, '/managed_tier'],
    ['too small a drive', { storage: { size: 99 } }, '/storage/size'],
    ['a subdomain without a public IP', { public_ip_enabled: false, subdomain_enabled: true }, '/subdomain_enabled'],
    ['too long a retention', { retention: { telemetry_days: 15 } }, '/retention/telemetry_days'],
  ])('refuses %s and names the field', async (_, change, path) => {
    const answer = await cloud.main().post(`${base}/managed`, { ...paid, ...change });

    expect(answer.status).toBe(400);
    expect(answer.body.field_issues.map((issue: { path: string }) => issue.path)).toContain(path);
    expect(await cloud.rows('select 1 from deployments')).toEqual([]);
  });

  const SIX_FAULTS: [string, object, string[]][] = [
    [
      'its form',
      { name: 5, cloud: 'azure', tier: 'tiny', cluster: 3, protected: 'yes', colour: 'red' },
      ['/cloud', '/cluster', '/colour', '/name', '/protected', '/tier'],
    ],
    [
      'what is offered',
      {
        region: 'mars-1',
        cluster: 'standalone',
        storage: { type: 'local_ssd' },
        availability_mode: 'multi_az',
        ...{ public_ip_enabled: false, subdomain_enabled: true, retention: { telemetry_days: 15 } },
      },
      [
        ...['/availability_mode', '/cluster', '/region', '/retention/telemetry_days', '/storage/type'],
        '/subdomain_enabled',
      ],
    ],
    [
      'both',
      {
        name: '',
        ...{ region: 'us-central1', cluster: 'standalone', managed_tier: undefined },
        storage: { type: 'network_balanced', size: 99 },
        spend_limit: 'much',
      },
      ['/cluster', '/managed_tier', '/name', '/region', '/spend_limit', '/storage/size'],
    ],
    [
      'Free with much to wish',
      {
        tier: 'free',
        dedicated: true,
        storage: { type: 'local_ssd', size: 200 },
        ...{ retention: { telemetry_days: 'long' }, target_network_tput: 0.5, managed_tier: undefined },
      },
      [
        ...['/cluster', '/dedicated', '/retention/telemetry_days', '/storage/size', '/storage/type'],
        '/target_network_tput',
      ],
    ],
  ];

  it.each(SIX_FAULTS)('names six errors of an order at once, each once: %s', async (_, change, wanted) => {
    const answer = await cloud.main().post(`${base}/managed`, { ...paid, ...change });

    expect(answer).toBeProblem('validation_failed', { status: 400 });
    expect(answer.body.field_issues.map((issue: { path: string }) => issue.path).sort()).toEqual(wanted);
    expect(await cloud.rows('select 1 from deployments')).toEqual([]);
  });

  it('reports no rule error for a member that is itself malformed', async () => {
    const order = { ...paid, tier: 'tiny', cluster: 'standalone', managed_tier: 'gold', availability_mode: 'multi_az' };
    const answer = await cloud.main().post(`${base}/managed`, order);

    const paths = answer.body.field_issues.map((issue: { path: string }) => issue.path);
    expect(paths.sort()).toEqual(['/managed_tier', '/tier']);
  });

  it('distinguishes an unknown route from an unsupported method', async () => {
    const unknown = await cloud.main().get('/nowhere');
    const wrongMethod = await cloud.main().call('PATCH', cloud.tenant);

    expect(unknown).toBeProblem('route_not_found', { status: 404 });
    expect(wrongMethod).toBeProblem('method_not_allowed', { status: 405 });
    expect(wrongMethod.headers.get('allow')).toContain('GET');
  });
});
