import { Logger } from '@nestjs/common';
import { loadCatalog } from '@libs/catalog';
import type { ActingCaller } from '@libs/http';
import { Ledger } from '@libs/ledger';
import { given, WorkflowBench } from '@libs/testing';
import { TenantEntitlements } from '../tenants/index.js';
import { CardCheck } from './card-check.js';
import { anInMemoryGateway } from './in-memory-gateway.fixture.js';
import type { PutPaymentMethodDto } from './dto/put-payment-method.dto.js';
import { PaymentMethodService } from './payment-method.service.js';

describe('A payment method, where there is a card gateway', () => {
  let bench: WorkflowBench;
  beforeAll(async () => {
    Logger.overrideLogger(false);
    bench = await WorkflowBench.open();
  });
  afterAll(() => bench.close());

  const aTenant = async () => {
    const { tenantId } = await given.tenant({
      rows: (text: string, values?: unknown[]) => bench.rows(text, values),
    } as never);
    await bench.rows('delete from payment_methods where tenant_id = $1', [tenantId]);
    const ground = await anInMemoryGateway();
    const { database } = bench;
    const entitlements = new TenantEntitlements(database, loadCatalog(undefined));
    const ledger = new Ledger(database, { daysByPlan: {} as never });
    const service = new PaymentMethodService(database, entitlements, ledger, new CardCheck(ground.gateway));
    const actor = { tenantId, author: { type: 'system' }, traceId: 'a'.repeat(32) } as unknown as ActingCaller;
    const put = async (dto: PutPaymentMethodDto) => {
      const { work } = await service.put(actor, dto, undefined);
      return database.transaction(work);
    };
    const stored = () =>
      bench.rows<object>('select provider, reference from payment_methods where tenant_id = $1', [tenantId]);
    return { ...ground, put, stored };
  };

  it('is a card that the gateway finds good', async () => {
    const { put, stored, cards, payments } = await aTenant();

    expect(await put({ provider: 'card', reference: cards.good })).toMatchObject({ provider: 'card' });

    expect(await stored()).toEqual([{ provider: 'card', reference: cards.good }]);
    expect(await payments()).toEqual([]);
  });

  it('is no card that the gateway refuses, or that nobody named', async () => {
    const { put, stored, cards } = await aTenant();
    const issue = (code: string) => ({ fieldIssues: [{ path: '/reference', code }] });

    await expect(put({ provider: 'card', reference: cards.expired })).rejects.toMatchObject(issue('card_refused'));
    await expect(put({ provider: 'card' })).rejects.toMatchObject(issue('required'));

    expect(await stored()).toEqual([]);
  });

  it('stays as it is while the gateway is away, and a card that is stored can be put again', async () => {
    const { put, stored, cards, goAway } = await aTenant();
    await put({ provider: 'card', reference: cards.good });
    goAway();

    await expect(put({ provider: 'card', reference: cards.declining })).rejects.toMatchObject({
      code: 'provider_unavailable',
    });
    await put({ provider: 'card' });

    expect(await stored()).toEqual([{ provider: 'card', reference: cards.good }]);
  });

  it('does not make the token of a card what invoices name, nor the other way round', async () => {
    const { put, stored, cards } = await aTenant();
    await put({ provider: 'manual', reference: cards.good });
    await expect(put({ provider: 'card' })).rejects.toMatchObject({ code: 'validation_failed' });
    await put({ provider: 'card', reference: cards.good });

    await put({ provider: 'manual' });

    expect(await stored()).toEqual([{ provider: 'manual', reference: null }]);
  });
});
