import { CardCheck } from './card-check.js';
import { anInMemoryGateway } from '../../../test/in-memory-gateway.fixture.js';
import { NoPaymentGateway } from './no-payment-gateway.js';
import { chargesAsPromised } from '../../../test/payment-gateway.contract.fixture.js';

describe('The in-memory gateway of these tests', () => {
  chargesAsPromised(anInMemoryGateway);
});

describe('An installation without a gateway', () => {
  it('refuses every card and charges nothing', async () => {
    const gateway = new NoPaymentGateway();

    expect(await gateway.verify()).toMatchObject({ outcome: 'refused' });
    expect(await gateway.charge()).toMatchObject({ outcome: 'declined' });
  });

  it('names the provider to use instead, for every reference', async () => {
    for (const reference of [undefined, null, 'card-good']) {
      const dto = { provider: 'card' as const, ...(reference !== undefined && { reference }) };
      const { refusal } = await new CardCheck(new NoPaymentGateway()).check(dto, null);
      expect(refusal).toMatchObject({
        code: 'validation_failed',
        fieldIssues: [{ path: '/provider', code: 'unsupported_provider' }],
      });
    }
  });
});
