import { given } from '@libs/testing';
import { TestMainApi } from '../../test/test-main-api.fixture.js';

describe('A check of a permission', () => {
  let cloud: TestMainApi;
  let key: string;
  beforeAll(async () => {
    cloud = await TestMainApi.open({ LANDLORD_ROLE: 'api' });
    key = await given.key(cloud, { permissions: { environment: ['deployment:manage'] } });
  });
  afterAll(() => cloud.close());

  const check = (query: string) => cloud.main(key).get(`${cloud.tenant}/permissions/check?permission=${query}`);

  it('shows through which grant the permission applies, or which permission is missing', async () => {
    const { division_id, environment_id } = cloud.installation;
    const scope = `division_id=${division_id}&environment_id=${environment_id}`;

    expect((await check(`deployment:read&${scope}`)).body).toEqual({
      allowed: true,
      via: { group: 'environment', permission: 'deployment:manage' },
    });
    expect((await check(`deployment:read&division_id=${division_id}`)).body).toEqual({
      allowed: false,
      missing: 'deployment:read',
    });
    expect((await check('audit:read')).body).toEqual({ allowed: false, missing: 'audit:read' });
  });

  it('refuses unknown permissions, and scopes that are incomplete, unknown or of another organization', async () => {
    const other = await given.tenant(cloud);
    const { environment_id } = cloud.installation;

    expect(await check('everything')).toBeProblem('validation_failed');
    expect(await check(`deployment:read&environment_id=${environment_id}`)).toBeProblem('validation_failed');
    for (const id of [999_999, other.divisionId])
      expect(await check(`deployment:read&division_id=${id}`)).toBeProblem('division_not_found');
    const elsewhere = await cloud
      .main(key)
      .get(`/tenants/${other.tenantId}/permissions/check?permission=deployment:read`);
    expect(elsewhere).toBeProblem('tenant_not_found');
  });

  it('is for every caller with a key, and records nothing', async () => {
    const blind = await given.key(cloud, { permissions: {} });
    const path = `${cloud.tenant}/permissions/check?permission=info:read`;
    const before = await cloud.rows('select count(*) from audit_entries');

    expect((await cloud.main(blind).get(path)).body).toEqual({ allowed: false, missing: 'info:read' });
    expect(await cloud.main(null).get(path)).toBeProblem('unauthenticated');
    expect(await cloud.rows('select count(*) from audit_entries')).toEqual(before);
  });
});
