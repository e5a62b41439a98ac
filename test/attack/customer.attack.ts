import { given, TestCloud, type ApiAnswer, type Person } from '@libs/testing';

const STARTER = { cloud: 'aws', region: 'us-east-1' };
const MEDIUM = { ...STARTER, name: 'm', tier: 'medium', managed_tier: 'standard', cluster: 'cluster' };
const TENANTS = 10;

/** Attacks of a customer with a verified address and own organizations, who pays nothing. */
describe('A customer who never pays', () => {
  let cloud: TestCloud;
  let mallory: Person;

  beforeAll(async () => {
    cloud = await TestCloud.borrow({ env: { LANDLORD_ROLE: 'api' } });
  });
  afterAll(() => cloud.stop());
  beforeEach(async () => {
    mallory = await given.person(cloud, { email: `mallory-${Math.random()}@evil.example` });
  });

  /** Creates an organization of the customer; returns the paths of the tenant, its division and its environment. */
  async function found(name: string): Promise<{ tenant: string; division: string; environment: string }> {
    const { body } = await mallory.post('/tenants', { name });
    const tenant = `/tenants/${body.id}`;
    const structure = await mallory.get(`${tenant}/structure`);
    const [{ id, environments }] = structure.body.divisions;
    const division = `${tenant}/divisions/${id}`;
    return { tenant, division, environment: `${division}/environments/${environments[0].id}` };
  }

  it('6: gets no paid compute without an invoice agreement', async () => {
    const { tenant, environment } = await found('On credit');
    const method = `${tenant}/billing/payments/method`;

    const answers = [
      await mallory.put(method, { provider: 'manual', reference: 'PO 1' }),
      await mallory.post(`${environment}/deployments/managed`, MEDIUM),
    ];

    expect(answers[0]).toBeProblem('invoice_agreement_required', { status: 403 });
    expect(answers[1]).toBeProblem('payment_method_required', { status: 402 });
    expect((await mallory.get(tenant)).body.has_payment_method).toBe(false);
    expect((await mallory.get(method)).status).toBe(404);
    expect((await mallory.get(`${environment}/deployments`)).body.total_results).toBe(0);
  });

  it('15: gets two Free deployments, not one for each of ten tenants', async () => {
    const places: string[] = [];
    for (let index = 0; index < TENANTS; index += 1) places.push((await found(`Free ${index}`)).division);
    const nodes = async (): Promise<number> => (await cloud.rows('select 1 from nodes')).length;
    const before = await nodes();

    const answers = await Promise.all(places.map((path) => mallory.post(`${path}/deployments/starter`, STARTER)));

    const refused: ApiAnswer[] = answers.filter(({ status }) => status !== 202);
    expect(refused).toHaveLength(TENANTS - 2);
    for (const answer of refused)
      expect(answer).toBeProblem('plan_limit_reached', {
        ...{ status: 409, limit_name: 'free_deployments_per_user', limit: 2, usage: 2 },
      });
    expect((await nodes()) - before).toBe(2);
  });
});
