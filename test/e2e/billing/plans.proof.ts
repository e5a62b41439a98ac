import 'reflect-metadata';
import { loadCatalog, TIERS, type Tier } from '@libs/catalog';
import { LIMITS, PLANS, type FeatureFlag, type LimitName, type Plan } from '@libs/domain';
import { PLAN, type PlanTerm } from '@libs/http';
import { TenantCommands } from '@libs/operator';
import { given, TestCloud, type ApiAnswer } from '@libs/testing';
import { allRoutes } from '../../architecture/sources/apps.js';
import { COUNTED, FLAGGED, HIDING, managed, ON_NODES, SIZED, type Customer } from '../matrix/plan-rows.js';

const catalog = loadCatalog(undefined);
const ENOUGH = 10_000;
const AT_ONCE = 50;
const inEveryPlan = <T extends string>(names: T[]): [T, Plan][] =>
  names.flatMap((name) => PLANS.map((plan): [T, Plan] => [name, plan]));

/**
 * Tests each limit of each plan at the limit, one above it, and with many requests at once. The catalog has the values.
 */
describe('A plan', () => {
  let cloud: TestCloud;
  beforeAll(async () => {
    cloud = await TestCloud.start({ env: { LANDLORD_ROLE: 'api' } });
  });
  afterAll(() => cloud.stop());

  it('has a row for every term that a route declares', () => {
    const declared = allRoutes().flatMap(
      ({ handler }) => (Reflect.getMetadata(PLAN, handler) as PlanTerm[] | undefined) ?? [],
    );

    const tested = [
      ...Object.keys(COUNTED),
      ...Object.keys(SIZED),
      ...Object.keys(FLAGGED),
      ...HIDING,
      ...ON_NODES,
      'deployment_tiers',
    ];
    expect([...new Set(declared)].sort()).toEqual(tested.sort());
  });

  it.each(inEveryPlan(Object.keys(COUNTED) as LimitName[]))('enforces %s in plan %s', async (limit, plan) => {
    const row = COUNTED[limit] as (typeof COUNTED)[string];
    const value = catalog.plan(plan).limits[limit];
    const tenant = await customer(plan, limit, row.divisions ?? 1);
    const remaining = value - row.has;

    const answers = await atOnce(Math.max(AT_ONCE, remaining + 5), (index) => row.make(tenant, index));

    expect(made(answers)).toBe(remaining);
    expect(refused(answers)).toBeProblem('plan_limit_reached', { limit_name: limit, limit: value, usage: value });
  });

  it.each(inEveryPlan(Object.keys(SIZED) as LimitName[]))('enforces %s per item in plan %s', async (limit, plan) => {
    const row = SIZED[limit] as (typeof SIZED)[string];
    const value = catalog.plan(plan).limits[limit];
    const above = value + (row.above ?? 1);
    const tenant = await customer(plan, limit, row.divisions?.(above) ?? 1);

    const fitting = await row.send(tenant, value);
    const larger = await row.send(tenant, above);

    expect([201, 202]).toContain(fitting.status);
    expect(larger).toBeProblem('plan_limit_reached', { limit_name: limit, limit: value });
  });

  it.each(inEveryPlan([...TIERS]))('limits deployments of tier %s in plan %s', async (tier, plan) => {
    const value = catalog.plan(plan).deployment_tiers.find((row) => row.tier === tier)?.limit ?? 0;
    const tenant = await customer(plan, 'deployment_tiers');

    const answers = await atOnce(value + 3, (index) => create(tenant, tier, index));

    expect(made(answers)).toBe(value);
    expect(refused(answers)).toBeProblem('plan_limit_reached', { limit_name: 'deployment_tiers', tier, limit: value });
  });

  it.each(Object.keys(FLAGGED) as FeatureFlag[])(
    'without %s refuses the request, and a plan with it accepts',
    async (flag) => {
      const ask = FLAGGED[flag] as (typeof FLAGGED)[string];

      const without = await ask(await customer('enterprise', flag));
      const withIt = await ask(await customer('enterprise', null));

      expect(without).toBeProblem('plan_feature_required', { feature: flag });
      // The plan allows dedicated machines, but the local drivers have none.
      if (flag === 'dedicated_enabled') expect(withIt).toBeProblem('feature_unavailable', { feature: 'dedicated' });
      else expect([200, 201, 202]).toContain(withIt.status);
    },
  );

  it('is changed by the operator with immediate effect', async () => {
    const { api, tenant } = await customer('basic', 'cloud_accounts_limit');
    const account = { cloud: 'gcp', name: 'one', account_id: 'my-project' };
    const id = Number(tenant.split('/').at(-1));
    expect(await api.post(`${tenant}/cloud_accounts`, account)).toBeProblem('plan_limit_reached');

    await cloud.asOperator((session) => new TenantCommands(session).setPlan(id, 'pro', []));

    expect((await api.post(`${tenant}/cloud_accounts`, account)).status).toBe(201);
  });

  /**
   * Creates a tenant with only the tested limit in effect; the other limits are raised. For a flag: a tenant without
   * the flag.
   */
  async function customer(plan: Plan, tested: PlanTerm | null, divisions = 1): Promise<Customer> {
    const { tenantId, divisionId, environmentId } = await given.tenant(cloud, plan);
    const limits = LIMITS.filter((name) => name !== tested && name.endsWith('_limit')).map((name) => [name, ENOUGH]);
    const overrides = {
      limits: Object.fromEntries(limits),
      ...(tested?.endsWith('_enabled') && { flags: { [tested]: false } }),
      ...(tested !== 'deployment_tiers' && { deployment_tiers: { small: ENOUGH } }),
    };
    await cloud.rows('update tenants set plan_overrides = $2 where id = $1', [tenantId, JSON.stringify(overrides)]);
    await given.invoiceAgreement(cloud, tenantId);
    const key = await given.key(cloud, { tenantId });
    const api = cloud.main(key);
    const tenant = `/tenants/${tenantId}`;
    const division = `${tenant}/divisions/${divisionId}`;
    const more = await Promise.all(
      Array.from({ length: divisions - 1 }, (_, index) => api.post(`${tenant}/divisions`, { name: `extra-${index}` })),
    );
    const paths = more.map(({ headers }) => headers.get('location') ?? '');
    return {
      cloud,
      api,
      runtime: cloud.runtime(key),
      tenant,
      division,
      environment: `${division}/environments/${environmentId}`,
      divisions: [division, ...paths],
    };
  }

  const create = async (tenant: Customer, tier: Tier, index: number): Promise<ApiAnswer> =>
    tier === 'free'
      ? tenant.api.post(`${tenant.division}/deployments/starter`, { cloud: 'aws', region: 'us-east-1' })
      : managed(tenant, { name: `${tier}-${index}`, tier });
});

/** One caller may have 512 requests at once. */
const MOST_AT_ONCE = 256;

async function atOnce(times: number, ask: (index: number) => Promise<ApiAnswer>): Promise<ApiAnswer[]> {
  const answers: ApiAnswer[] = [];
  const indexes = Array.from({ length: times }, (_, index) => index).values();
  const worker = async (): Promise<void> => {
    for (const index of indexes) answers.push(await ask(index));
  };
  await Promise.all(Array.from({ length: Math.min(times, MOST_AT_ONCE) }, worker));
  return answers;
}
const made = (answers: ApiAnswer[]): number => answers.filter(({ status }) => status < 300).length;
const refused = (answers: ApiAnswer[]): ApiAnswer | undefined => answers.find(({ status }) => status >= 400);
