import { Logger } from '@nestjs/common';
import { loadCatalog } from '@libs/catalog';
import { Precondition } from '@libs/domain';
import type { ActingCaller } from '@libs/http';
import { Ledger } from '@libs/ledger';
import { InvoiceAgreementsRepository, PaymentMethodsRepository } from '@libs/persistence/billing';
import { LedgerRepository } from '@libs/persistence/ledger';
import { TenantsRepository } from '@libs/persistence/organization';
import { given, WorkflowBench } from '@libs/testing';
import type { MainApiConfig } from '../../config.js';
import { TenantEntitlements } from '../../tenants/index.js';
import { CardCheck } from './card-check.js';
import { anInMemoryGateway } from '../../../test/in-memory-gateway.fixture.js';
import type { PutPaymentMethodDto } from '../dto/put-payment-method.dto.js';
import { InvoiceAgreements } from '../invoices/invoice-agreements.js';
import { PaymentMethodService } from './payment-method.service.js';

const aTenantIn = async (bench: WorkflowBench, agreements: MainApiConfig['INVOICE_AGREEMENTS']) => {
  const { tenantId } = await given.tenant({
    rows: (text: string, values?: unknown[]) => bench.rows(text, values),
  } as never);
  const setup = await anInMemoryGateway();
  const { database } = bench;
  const service = new PaymentMethodService(
    new PaymentMethodsRepository(database),
    new TenantEntitlements(new TenantsRepository(database), loadCatalog(undefined)),
    new Ledger(database, new LedgerRepository(database), { daysByPlan: {} as never }),
    new CardCheck(setup.gateway),
    new InvoiceAgreements(new InvoiceAgreementsRepository(database), { INVOICE_AGREEMENTS: agreements }),
  );
  const actor = { tenantId, author: { type: 'system' }, traceId: 'a'.repeat(32) } as unknown as ActingCaller;
  const put = async (dto: PutPaymentMethodDto) => {
    const { work } = await service.put(actor, dto, new Precondition(null));
    return database.transaction(work);
  };
  const stored = () =>
    bench.rows<object>('select provider, reference from payment_methods where tenant_id = $1', [tenantId]);
  return { ...setup, tenantId, put, stored };
};

describe('A payment method, with a card gateway', () => {
  let bench: WorkflowBench;
  beforeAll(async () => {
    Logger.overrideLogger(false);
    bench = await WorkflowBench.open();
  });
  afterAll(() => bench.close());

  const aTenant = () => aTenantIn(bench, 'self_service');

  it('can be a card that the gateway accepts', async () => {
    const { put, stored, cards, payments } = await aTenant();

    expect(await put({ provider: 'card', reference: cards.good })).toMatchObject({ provider: 'card' });

    expect(await stored()).toEqual([{ provider: 'card', reference: cards.good }]);
    expect(await payments()).toEqual([]);
  });

  it('cannot be a card that the gateway refuses, or a missing card', async () => {
    const { put, stored, cards } = await aTenant();
    const issue = (code: string) => ({ fieldIssues: [{ path: '/reference', code }] });

    await expect(put({ provider: 'card', reference: cards.expired })).rejects.toMatchObject(issue('card_refused'));
    await expect(put({ provider: 'card' })).rejects.toMatchObject(issue('required'));

    expect(await stored()).toEqual([]);
  });

  it('stays unchanged while the gateway is unavailable, and the stored card can be put again', async () => {
    const { put, stored, cards, goAway } = await aTenant();
    await put({ provider: 'card', reference: cards.good });
    goAway();

    await expect(put({ provider: 'card', reference: cards.declining })).rejects.toMatchObject({
      code: 'provider_unavailable',
    });
    await put({ provider: 'card' });

    expect(await stored()).toEqual([{ provider: 'card', reference: cards.good }]);
  });

  it('does not keep a card token as invoice reference, or the other way round', async () => {
    const { put, stored, cards } = await aTenant();
    await put({ provider: 'manual', reference: cards.good });
    await expect(put({ provider: 'card' })).rejects.toMatchObject({ code: 'validation_failed' });
    await put({ provider: 'card', reference: cards.good });

    await put({ provider: 'manual' });

    expect(await stored()).toEqual([{ provider: 'manual', reference: null }]);
  });

  it('can be an invoice agreement without the operator only if the installation allows it', async () => {
    const trusting = await aTenantIn(bench, 'self_service');
    const strict = await aTenantIn(bench, 'operator');

    await trusting.put({ provider: 'manual', reference: 'PO 1' });
    await expect(strict.put({ provider: 'manual' })).rejects.toMatchObject({ code: 'invoice_agreement_required' });
    await strict.put({ provider: 'card', reference: strict.cards.good });
    await expect(strict.put({ provider: 'manual' })).rejects.toMatchObject({ code: 'invoice_agreement_required' });

    expect(await trusting.stored()).toEqual([{ provider: 'manual', reference: 'PO 1' }]);
    expect(await strict.stored()).toEqual([{ provider: 'card', reference: strict.cards.good }]);
    const agreements = 'select granted_by from invoice_agreements where tenant_id = $1';
    expect(await bench.rows(agreements, [trusting.tenantId])).toEqual([{ granted_by: 'self_service' }]);
    expect(await bench.rows(agreements, [strict.tenantId])).toEqual([]);
  });
});
