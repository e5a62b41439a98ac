import { parseId, type DeploymentId, type DivisionId, type TenantId } from './index.js';

const tenant: TenantId = 1;
const division: DivisionId = 2;
const deployment: DeploymentId = 3;
const ofTenant = (id: TenantId): number => id;

// The compiler checks these lines: each @ts-expect-error is an error itself when the next line has none.
describe('the type of an id', () => {
  it('refuses the id of another kind', () => {
    // @ts-expect-error A division is no tenant.
    ofTenant(division);
    // @ts-expect-error The rows of divisions have no ids of tenants.
    const rows: { tenant_id: TenantId }[] = [{ tenant_id: division }];
    // @ts-expect-error A map by tenant has no entry of a deployment.
    new Map<TenantId, string>().get(deployment);

    expect(rows).toHaveLength(1);
  });

  it('accepts its own kind and a plain number, and is a number', () => {
    const plain: number = tenant;
    const own: TenantId = plain;
    // @ts-expect-error Also when there may be none.
    const other: TenantId | null = division as DivisionId | null;

    expect([own, other]).toEqual([1, 2]);
    expect(ofTenant(tenant) + ofTenant(parseId('7') ?? 0)).toBe(8);
  });
});
