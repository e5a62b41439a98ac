import { InvoiceAgreementCommands } from '@libs/operator';
import { given, MailFolder } from '@libs/testing';
import { TestMainApi } from '../../../test/test-main-api.fixture.js';

describe('The payment method of a tenant', () => {
  let cloud: TestMainApi;
  let path: string;
  beforeAll(async () => {
    cloud = await TestMainApi.open();
    path = `${cloud.tenant}/billing/payments/method`;
  });
  afterAll(() => cloud.close());

  const paid = (name: string): object => ({
    ...{ name, cloud: 'aws', region: 'us-east-1' },
    ...{ tier: 'small', managed_tier: 'standard', cluster: 'cluster' },
  });
  const hasMethod = async (): Promise<boolean> => (await cloud.main().get(cloud.tenant)).body.has_payment_method;

  it('is an invoice agreement with the reference for invoices', async () => {
    const { status, body } = await cloud.main().put(path, { provider: 'manual', reference: 'PO 4711' });

    expect(status).toBe(200);
    expect(body).toMatchObject({ provider: 'manual', reference: 'PO 4711' });
    expect((await cloud.main().get(path)).body).toEqual(body);
    expect(await hasMethod()).toBe(true);
  });

  it('stays unchanged and unrecorded when the stored value is sent again', async () => {
    const { body } = await cloud.main().get(path);
    const entries = () => cloud.rows(`select 1 from audit_entries where type = 'payment_method_changed'`);
    const before = (await entries()).length;

    expect((await cloud.main().put(path, body)).body).toEqual(body);
    expect(await entries()).toHaveLength(before);
    expect(await cloud.main().put(path, { ...body, created_at: '2020-01-01T00:00:00.000Z' })).toBeProblem(
      'validation_failed',
    );
  });

  it('cannot be a card without a payment gateway, and the error names the member', async () => {
    const answer = await cloud.main().put(path, { provider: 'card' });

    expect(answer).toBeProblem('validation_failed');
    expect(answer.body.field_issues).toMatchObject([{ path: '/provider', code: 'unsupported_provider' }]);
  });

  it('is required before anything paid is created, but not for a Free deployment', async () => {
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

  describe('of an organization without an invoice agreement', () => {
    let other: { tenantId: number; divisionId: number; environmentId: number };
    const tenant = (): string => `/tenants/${other.tenantId}`;
    const method = (): string => `${tenant()}/billing/payments/method`;
    const managed = (): string =>
      `${tenant()}/divisions/${other.divisionId}/environments/${other.environmentId}/deployments`;
    let key: string;
    beforeEach(async () => {
      other = await given.tenant(cloud);
      key = await given.key(cloud, { tenantId: other.tenantId });
    });
    const order = (name: string) => cloud.main(key).post(`${managed()}/managed`, paid(name));
    const pays = async (): Promise<boolean> => (await cloud.main(key).get(tenant())).body.has_payment_method;
    const put = (reference: string) => cloud.main(key).put(method(), { provider: 'manual', reference });
    const changeAgreement = (verb: 'grant' | 'revoke') =>
      cloud.asOperator((session) => new InvoiceAgreementCommands(session)[verb](other.tenantId));

    it('cannot be set to manual, and paid orders are refused', async () => {
      expect(await put('PO 1')).toBeProblem('invoice_agreement_required', { status: 403 });

      expect(await pays()).toBe(false);
      expect(await cloud.main(key).get(method())).toBeProblem('payment_method_not_found');
      expect(await order('refused')).toBeProblem('payment_method_required', { status: 402 });
    });

    it('is not removed while something is charged to it', async () => {
      await changeAgreement('grant');
      expect((await order('charged')).status).toBe(202);

      expect(await cloud.main(key).delete(method())).toBeProblem('payment_method_in_use', { status: 409 });

      expect(await pays()).toBe(true);
      expect((await cloud.main(key).get(method())).status).toBe(200);
    });

    it('is the agreement as soon as the operator grants one', async () => {
      await changeAgreement('grant');

      expect(await pays()).toBe(true);
      expect((await cloud.main(key).get(method())).body).toMatchObject({ provider: 'manual', reference: null });
      expect((await put('PO 2')).body).toMatchObject({ provider: 'manual', reference: 'PO 2' });
      expect((await order('granted')).status).toBe(202);
      await expect(changeAgreement('grant')).rejects.toThrow('already has an invoice agreement');
    });

    it('is removed when the operator revokes it: deployments keep running, new ones are refused, the owner gets a mail', async () => {
      const mails = new MailFolder(cloud.directory);
      const [owner] = await cloud.rows<{ email: string }>(
        'select email from users where id = (select owner_id from tenants where id = $1)',
        [other.tenantId],
      );
      await changeAgreement('grant');
      expect((await order('granted')).status).toBe(202);

      const mail = await mails.after(owner?.email ?? '', () => changeAgreement('revoke'));

      expect(mail.headers['to']).toEqual([owner?.email]);
      expect(mail.text).toContain('ended the invoice agreement');
      expect(await pays()).toBe(false);
      expect(await put('PO 3')).toBeProblem('invoice_agreement_required');
      expect(await order('added')).toBeProblem('payment_method_required');
      expect((await cloud.main(key).get(managed())).body.items).toMatchObject([{ name: 'granted' }]);
      const { body } = await cloud.main(key).get(`/audit${tenant()}?author=0`);
      expect(body.items.map(({ type }: { type: string }) => type)).toEqual([
        'invoice_agreement_revoked',
        'invoice_agreement_granted',
      ]);
    });
  });
});
