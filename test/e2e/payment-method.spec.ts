import { TestCloud } from '@libs/testing';

describe('The payment method of a tenant', () => {
  let cloud: TestCloud;
  let path: string;
  beforeAll(async () => {
    cloud = await TestCloud.borrow();
    path = `${cloud.tenant}/billing/payments/method`;
  });
  afterAll(() => cloud.stop());

  const paid = (name: string): object => ({
    ...{ name, cloud: 'aws', region: 'us-east-1' },
    ...{ tier: 'small', managed_tier: 'standard', cluster: 'cluster' },
  });
  const hasMethod = async (): Promise<boolean> => (await cloud.main().get(cloud.tenant)).body.has_payment_method;

  it('is an invoice agreement, with what invoices are to name', async () => {
    const { status, body } = await cloud.main().put(path, { provider: 'manual', reference: 'PO 4711' });

    expect(status).toBe(200);
    expect(body).toMatchObject({ provider: 'manual', reference: 'PO 4711' });
    expect((await cloud.main().get(path)).body).toEqual(body);
    expect(await hasMethod()).toBe(true);
  });

  it('stays as it is, and unrecorded, when it is put as it was read', async () => {
    const { body } = await cloud.main().get(path);
    const entries = () => cloud.rows(`select 1 from audit_entries where type = 'payment_method_changed'`);
    const before = (await entries()).length;

    expect((await cloud.main().put(path, body)).body).toEqual(body);
    expect(await entries()).toHaveLength(before);
    expect(await cloud.main().put(path, { ...body, created_at: '2020-01-01T00:00:00.000Z' })).toBeProblem(
      'validation_failed',
    );
  });

  it('cannot be a card where there is no gateway, and says what to use', async () => {
    const answer = await cloud.main().put(path, { provider: 'card' });

    expect(answer).toBeProblem('validation_failed');
    expect(answer.body.field_issues).toMatchObject([{ path: '/provider', code: 'unsupported_provider' }]);
  });

  it('is asked for before anything paid is created, and not before a Free deployment', async () => {
    expect((await cloud.main().delete(path)).status).toBe(204);

    expect(await hasMethod()).toBe(false);
    expect(await cloud.main().get(path)).toBeProblem('payment_method_not_found');
    expect(await cloud.main().delete(path)).toBeProblem('payment_method_not_found');
    const managed = `${cloud.environment}/deployments/managed`;
    expect(await cloud.main().post(managed, paid('unpaid'))).toBeProblem('payment_method_required');
    const starter = { cloud: 'aws', region: 'us-east-1' };
    expect((await cloud.main().post(`${cloud.division}/deployments/starter`, starter)).status).toBe(202);

    await cloud.main().put(path, { provider: 'manual' });
    expect((await cloud.main().post(managed, paid('agreed'))).status).toBe(202);
  });
});
