import { given, type ApiAnswer } from '@libs/testing';
import { TestMainApi } from '../../test/test-main-api.fixture.js';

const AWS = {
  aws: {
    identity_arn: 'arn:aws:iam::123456789012:role/landlord',
    external_id: 'ext-4711-secret',
    vpc_id: 'vpc-0123456789abcdef0',
    vpc_cidr: '10.20.0.0/16',
  },
};

describe('Cloud accounts', () => {
  let cloud: TestMainApi;
  let path: string;

  beforeAll(async () => {
    cloud = await TestMainApi.open();
    path = `${cloud.tenant}/cloud_accounts`;
  });
  afterAll(() => cloud.close());

  const account = (over: object = {}) => ({ cloud: 'aws', name: 'Main', account_id: '123456789012', ...over });
  const create = (over: object = {}): Promise<ApiAnswer> => cloud.main().post(path, account(over));
  const audited = (type: string) =>
    cloud.rows<{ data: any }>('select data from audit_entries where type = $1 order by id', [type]);
  const names = ({ body }: ApiAnswer): string[] => body.items.map(({ name }: { name: string }) => name);
  const paths = ({ body }: ApiAnswer): string[] => body.field_issues.map((issue: { path: string }) => issue.path);

  it('are created, read, listed, changed and deleted', async () => {
    const created = await create({ name: 'Life', region: 'eu-west-1', settings: AWS, remarks: 'ours' });
    const one = created.headers.get('location') ?? '';

    expect(created.status).toBe(201);
    expect(created.headers.get('ld-cloud-account')).toBe(String(created.body.id));
    expect(created.body).toEqual({
      id: expect.any(Number),
      cloud: 'aws',
      name: 'Life',
      account_id: '123456789012',
      region: 'eu-west-1',
      status: 'active',
      settings: AWS,
      remarks: 'ours',
      created_at: expect.any(String),
      updated_at: created.body.created_at,
    });
    expect((await cloud.main().get(one)).body).toEqual(created.body);
    const [item] = (await cloud.main().get(path)).body.items;
    expect(item).toEqual({ ...created.body, settings: undefined, remarks: undefined, validated_at: null });
    expect(Object.keys(item)).not.toContain('settings');
    expect((await cloud.main().put(one, { status: 'locked', region: null, remarks: null })).status).toBe(204);
    expect((await cloud.main().get(one)).body).toMatchObject({ status: 'locked', region: null, remarks: null });
    expect((await cloud.main().delete(one)).status).toBe(204);
    expect(await cloud.main().get(one)).toBeProblem('cloud_account_not_found', { status: 404 });
  });

  it('store their settings sealed, and keep them out of the audit and the log', async () => {
    const { body } = await create({ name: 'Sealed', settings: AWS });
    const one = `${path}/${body.id}`;
    await cloud
      .main()
      .put(one, { settings: { aws: { ...AWS.aws, external_id: 'ext-4712-secret' } }, name: 'Sealed 2' });

    const [row] = await cloud.rows<any>('select settings from cloud_accounts where id = $1', [body.id]);
    const [entry] = await audited('cloud_account_updated').then((all) => all.slice(-1));

    expect(row.settings).toMatch(/^k1\./);
    expect(entry?.data).toEqual({ name: 'Sealed 2', settings_changed: true, previous: { name: 'Sealed' } });
    const traces = await cloud.rows('select data from audit_entries');
    expect(JSON.stringify([traces, cloud.mainApi.log()])).not.toMatch(/ext-471[12]|landlord:role|vpc-0123/);
    expect((await cloud.main().get(one)).body.settings.aws.external_id).toBe('ext-4712-secret');
  });

  it('accept a PUT of the record that was read, which changes and records nothing', async () => {
    const { body } = await create({ name: 'Same', settings: AWS });
    const one = `${path}/${body.id}`;
    const before = (await audited('cloud_account_updated')).length;
    const shuffled = { ...body, settings: { aws: Object.fromEntries(Object.entries(AWS.aws).reverse()) } };

    expect((await cloud.main().put(one, shuffled)).status).toBe(204);
    expect((await cloud.main().put(one, {})).status).toBe(204);
    expect((await cloud.main().get(one)).body).toEqual(body);
    expect(await audited('cloud_account_updated')).toHaveLength(before);
    expect(paths(await cloud.main().put(one, { ...body, cloud: 'gcp' }))).toEqual(['/cloud']);
    expect(await cloud.main().put(one, { remarks: 'late' }, { 'if-match': '"old"' })).toBeProblem(
      'precondition_failed',
    );
    expect(await cloud.main().delete(one, { 'if-match': '"old"' })).toBeProblem('precondition_failed');
  });

  it('accept null for a member that can be cleared, and refuse it for the others', async () => {
    const { body } = await create({ name: 'Cleared', settings: AWS, region: 'us-east-1' });
    const one = `${path}/${body.id}`;

    expect(paths(await cloud.main().put(one, { name: null, account_id: null, status: null })).sort()).toEqual(
      expect.arrayContaining(['/account_id', '/name', '/status']),
    );
    await cloud.main().put(one, { settings: null });
    expect((await cloud.main().get(one)).body).toMatchObject({ settings: null, region: 'us-east-1', name: 'Cleared' });
  });

  it('are found by parts of the name and the region, without wildcards', async () => {
    await create({ name: '50%_off', region: 'ap-south-1' });
    await cloud
      .main()
      .post(path, { cloud: 'gcp', name: 'Google One', account_id: 'my-project-1', region: 'ap-east-9' });

    expect(names(await cloud.main().get(`${path}?name=${encodeURIComponent('%_')}`))).toEqual(['50%_off']);
    expect(names(await cloud.main().get(`${path}?name=gOOgle`))).toEqual(['Google One']);
    expect(names(await cloud.main().get(`${path}?region=AP-&cloud=aws`))).toEqual(['50%_off']);
    const ofGoogle = names(await cloud.main().get(`${path}?cloud=gcp`));
    expect([ofGoogle.includes('Google One'), ofGoogle.includes('50%_off')]).toEqual([true, false]);
    expect(names(await cloud.main().get(`${path}?region=_`))).toEqual([]);
    expect((await cloud.main().get(`${path}?region=ap-&results=1`)).body).toMatchObject({
      total_results: 2,
      total_pages: 2,
    });
    expect(await cloud.main().get(`${path}?cloud=azure`)).toBeProblem('validation_failed');
  });

  it('have names that are unique in the tenant, ignoring case', async () => {
    const { body } = await create({ name: 'Unique' });
    const { body: other } = await create({ name: 'Other' });

    expect(await create({ name: 'UNIQUE' })).toBeProblem('name_taken', { status: 409, id: body.id });
    expect(await cloud.main().put(`${path}/${other.id}`, { name: 'unique' })).toBeProblem('name_taken', {
      id: body.id,
    });
    expect((await cloud.main().put(`${path}/${body.id}`, { name: 'UNIQUE' })).status).toBe(204);
  });

  it.each([
    ['an AWS account of letters', { account_id: 'my-account' }, ['/account_id']],
    ['a GCP project that ends in a hyphen', { cloud: 'gcp', account_id: 'project-' }, ['/account_id']],
    ['a GCP project of five letters', { cloud: 'gcp', account_id: 'abcde' }, ['/account_id']],
    ['an unknown cloud', { cloud: 'azure' }, ['/cloud']],
    ['no name', { name: '' }, ['/name']],
    ['too long remarks', { remarks: 'x'.repeat(501) }, ['/remarks']],
    ['a region of blanks', { region: 'us east' }, ['/region']],
    ['settings of the other cloud', { settings: { gcp: {} } }, ['/settings/aws', '/settings/gcp']],
    ['settings of both', { settings: { ...AWS, gcp: {} } }, ['/settings/gcp']],
    ['empty settings', { settings: {} }, ['/settings/aws']],
    ['settings that are a list', { settings: [] }, ['/settings']],
    [
      'settings without anything',
      { settings: { aws: {} } },
      ['/settings/aws/external_id', '/settings/aws/identity_arn', '/settings/aws/vpc_id'],
    ],
    [
      'settings in which all is wrong',
      {
        account_id: '1',
        settings: {
          aws: {
            identity_arn: 'arn:aws:iam::1:user/x',
            external_id: ' ',
            vpc_id: 'vpc-123',
            vpc_cidr: '10.0.0.1/16',
            x: 1,
          },
        },
      },
      [
        '/account_id',
        ...['external_id', 'identity_arn', 'vpc_cidr', 'vpc_id', 'x'].map((name) => `/settings/aws/${name}`),
      ],
    ],
    [
      'an IPv6 network',
      { cloud: 'gcp', account_id: 'my-project', settings: { gcp: { vpc_cidr: 'fd00::/8', vpc_network: 'Bad_Name' } } },
      ['/settings/gcp/vpc_cidr', '/settings/gcp/vpc_network'],
    ],
    ['a member that nobody knows', { colour: 'red' }, ['/colour']],
  ])('refuse %s and name the member', async (_, over, member) => {
    const answer = await create({ name: 'Refused', ...over });

    expect(answer).toBeProblem('validation_failed', { status: 400 });
    expect([...new Set(paths(answer))].sort()).toEqual(member);
  });

  it('are validated again when their settings change', async () => {
    const { body } = await create({ name: 'Judged', settings: AWS });

    expect(paths(await cloud.main().put(`${path}/${body.id}`, { settings: { gcp: {} }, account_id: 'x' }))).toEqual(
      expect.arrayContaining(['/account_id', '/settings/gcp']),
    );
  });

  it('accept the formats that the clouds allow', async () => {
    const gov = {
      aws: { ...AWS.aws, identity_arn: 'arn:aws-us-gov:iam::123456789012:role/a/b+c', vpc_id: 'vpc-0a1b2c3d' },
    };
    const least = { ...gov.aws, vpc_cidr: undefined };

    expect((await create({ name: 'Gov', settings: { aws: least } })).status).toBe(201);
    const google = { cloud: 'gcp', account_id: 'landlord-prod-1' };
    expect((await create({ ...google, name: 'G1', settings: { gcp: {} } })).status).toBe(201);
    expect((await create({ ...google, name: 'G2', settings: { gcp: { vpc_network: 'default' } } })).status).toBe(201);
  });

  it('stop at the limit of the plan, also for many requests at the same time', async () => {
    const [pro, basic] = [await given.tenant(cloud, 'pro'), await given.tenant(cloud, 'basic')];
    const as = async ({ tenantId }: { tenantId: number }) => {
      const client = cloud.main(await given.key(cloud, { tenantId }));
      return (name: string) => client.post(`/tenants/${tenantId}/cloud_accounts`, account({ name }));
    };
    const add = await as(pro);

    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => add(`a${n}`)));

    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(answers.find(({ status }) => status === 409)).toBeProblem('plan_limit_reached', { limit: 5, usage: 5 });
    expect(await (await as(basic))('none')).toBeProblem('plan_limit_reached', {
      limit_name: 'cloud_accounts_limit',
      limit: 0,
    });
  });

  it('require the permission of this tenant', async () => {
    const { body } = await create({ name: 'Ours' });
    const other = await given.tenant(cloud);
    const foreign = cloud.main(await given.key(cloud, { tenantId: other.tenantId }));
    const reader = cloud.main(await given.key(cloud, { permissions: { tenant: ['settings:read'] } }));
    const blind = cloud.main(await given.key(cloud, { permissions: { tenant: ['info:manage'] } }));

    expect(await foreign.get(`/tenants/${other.tenantId}/cloud_accounts/${body.id}`)).toBeProblem(
      'cloud_account_not_found',
    );
    expect((await foreign.get(`/tenants/${other.tenantId}/cloud_accounts`)).body.items).toEqual([]);
    expect((await reader.get(`${path}/${body.id}`)).status).toBe(200);
    expect(await reader.put(`${path}/${body.id}`, { name: 'x' })).toBeProblem('insufficient_permissions', {
      permission: 'settings:manage',
    });
    expect(await blind.get(path)).toBeProblem('insufficient_permissions', { permission: 'settings:read' });
    expect(await cloud.main().get(`${path}/abc`)).toBeProblem('cloud_account_not_found', { status: 404 });
  });
});
