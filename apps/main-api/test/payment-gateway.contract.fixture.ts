import type { Charge, PaymentGateway } from '../src/billing/payments/payment-gateway.js';

/** A payment in the records of the gateway. */
export interface Payment {
  id: string;
  reference: string;
  amountUsd: string;
}

/** A gateway with the setup of a test: a sandbox of the real gateway, or a replacement. */
export interface GatewaySetup {
  gateway: PaymentGateway;
  /** Tokens: `good` pays, `declining` can be verified but declines every charge, and the card of `expired` has expired. */
  cards: { good: string; declining: string; expired: string };
  /** The charges that the gateway itself reports, not the driver. */
  payments: () => Promise<Payment[]>;
  /** Until `comeBack`, no request reaches the gateway. */
  goAway: () => void;
  comeBack: () => void;
  /** The gateway processes the next call, but its answer is lost. */
  loseNextAnswer: () => void;
  stop: () => Promise<void>;
}

let count = 0;
const aCharge = (reference: string, changes: Partial<Charge> = {}): Charge => ({
  ...{ idempotencyKey: `contract-${process.pid}-${Date.now()}-${(count += 1)}`, reference },
  ...{ amountUsd: '12.30', description: 'Invoice INV-2026-000042' },
  ...changes,
});

const WORDS: unknown = expect.stringMatching(/\S/);

/** The contract of every driver of a card gateway (payment-gateway.ts). */
export function chargesAsPromised(make: () => Promise<GatewaySetup>): void {
  let setup: GatewaySetup;
  beforeEach(async () => {
    setup = await make();
  });
  afterEach(() => setup.stop());

  judgesCards(() => setup);
  charges(() => setup);
  chargesOnce(() => setup);
  refusesNonsense(() => setup);
  canBeAskedAgain(() => setup);
}

function judgesCards(setup: () => GatewaySetup): void {
  it('has a display name', () => {
    expect(setup().gateway.provider).toMatch(/\S/);
  });

  it('accepts a good card, gives the reason why another card is refused, and charges neither', async () => {
    const { gateway, cards } = setup();

    expect(await gateway.verify(cards.good)).toEqual({ outcome: 'good' });
    expect(await gateway.verify(cards.expired)).toEqual({ outcome: 'refused', reason: WORDS });
    for (const nobodys of ['nobody-s', '', '../charges', 'é\n'.repeat(50)])
      expect(await gateway.verify(nobodys)).toMatchObject({ outcome: 'refused' });
    expect(await setup().payments()).toEqual([]);
  });
}

function charges(setup: () => GatewaySetup): void {
  it('charges the exact amount to the card', async () => {
    const { gateway, cards } = setup();

    const outcome = await gateway.charge(aCharge(cards.good, { amountUsd: '90071992547.99' }));

    expect(outcome).toEqual({ outcome: 'paid', paymentId: WORDS });
    expect(await setup().payments()).toEqual([
      { id: (outcome as { paymentId: string }).paymentId, reference: cards.good, amountUsd: '90071992547.99' },
    ]);
  });

  it('gives the reason why a card was declined, and charges nothing', async () => {
    const { gateway, cards } = setup();

    for (const card of [cards.declining, cards.expired, 'nobody-s'])
      expect(await gateway.charge(aCharge(card))).toEqual({ outcome: 'declined', reason: WORDS });
    expect(await setup().payments()).toEqual([]);
  });
}

function chargesOnce(setup: () => GatewaySetup): void {
  it('charges once for a key, for repeated and concurrent calls', async () => {
    const { gateway, cards } = setup();
    const charge = aCharge(cards.good);

    const outcomes = await Promise.all([gateway.charge(charge), gateway.charge(charge), gateway.charge(charge)]);
    outcomes.push(await gateway.charge({ ...charge }));

    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
    expect(await setup().payments()).toHaveLength(1);
  });

  it('charges twice for two keys, and repeats its first answer for one key', async () => {
    const { gateway, cards } = setup();
    const declined = aCharge(cards.declining);

    await gateway.charge(aCharge(cards.good));
    await gateway.charge(aCharge(cards.good));
    const first = await gateway.charge(declined);

    expect(await gateway.charge(declined)).toEqual(first);
    expect(await setup().payments()).toHaveLength(2);
  });
}

function refusesNonsense(setup: () => GatewaySetup): void {
  it('refuses one key for two different charges', async () => {
    const { gateway, cards } = setup();
    const charge = aCharge(cards.good);
    await gateway.charge(charge);

    for (const other of [{ amountUsd: '12.31' }, { reference: cards.declining }])
      await expect(gateway.charge({ ...charge, ...other })).rejects.toMatchObject({
        fault: 'misused',
        isRetryable: false,
      });
    expect(await setup().payments()).toHaveLength(1);
  });

  it.each(['0.00', '-1.00', '1.005', '1,00', '1e3', 'NaN', '', ' 1.00', '01.00'])(
    'does not charge %j, which is not an amount',
    async (amountUsd) => {
      const { gateway, cards } = setup();

      await expect(gateway.charge(aCharge(cards.good, { amountUsd }))).rejects.toMatchObject({ fault: 'misused' });
      expect(await setup().payments()).toEqual([]);
    },
  );
}

function canBeAskedAgain(setup: () => GatewaySetup): void {
  it('reports a retryable error while the gateway is away, and charges once after it is back', async () => {
    const { gateway, cards } = setup();
    const charge = aCharge(cards.good);
    setup().goAway();
    await expect(gateway.charge(charge)).rejects.toMatchObject({ fault: 'unavailable', isRetryable: true });
    await expect(gateway.verify(cards.good)).rejects.toMatchObject({ fault: 'unavailable' });

    setup().comeBack();

    expect(await gateway.charge(charge)).toMatchObject({ outcome: 'paid' });
    expect(await setup().payments()).toHaveLength(1);
  });

  it('charges once when its answer was lost and the call is repeated', async () => {
    const { gateway, cards } = setup();
    const charge = aCharge(cards.good);
    setup().loseNextAnswer();

    await expect(gateway.charge(charge)).rejects.toMatchObject({ fault: 'unavailable', isRetryable: true });

    expect(await gateway.charge(charge)).toMatchObject({ outcome: 'paid' });
    expect(await setup().payments()).toHaveLength(1);
  });
}
