import type { Charge, PaymentGateway } from '../src/billing/payments/payment-gateway.js';

/** What the other side of a gateway has in its books. */
export interface Payment {
  id: string;
  reference: string;
  amountUsd: string;
}

/** A gateway with what a test needs around it: a sandbox of the real one, or something that plays it. */
export interface GatewaySetup {
  gateway: PaymentGateway;
  /** Tokens: one that pays, one that verifies and declines every charge, one whose card has expired. */
  cards: { good: string; declining: string; expired: string };
  /** What was charged, as the gateway tells it and not the driver. */
  payments: () => Promise<Payment[]>;
  /** Until `comeBack`, nothing reaches the gateway. */
  goAway: () => void;
  comeBack: () => void;
  /** The next call is carried out, and its answer lost. */
  loseNextAnswer: () => void;
  stop: () => Promise<void>;
}

let count = 0;
const aCharge = (reference: string, given: Partial<Charge> = {}): Charge => ({
  ...{ idempotencyKey: `contract-${process.pid}-${Date.now()}-${(count += 1)}`, reference },
  ...{ amountUsd: '12.30', description: 'Invoice INV-2026-000042' },
  ...given,
});

const WORDS: unknown = expect.stringMatching(/\S/);

/** What every driver of a card gateway promises (payment-gateway.ts). */
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
  it('has a name for people', () => {
    expect(setup().gateway.provider).toMatch(/\S/);
  });

  it('knows a good card, and says in words why another is none, without charging any', async () => {
    const { gateway, cards } = setup();

    expect(await gateway.verify(cards.good)).toEqual({ outcome: 'good' });
    expect(await gateway.verify(cards.expired)).toEqual({ outcome: 'refused', reason: WORDS });
    for (const nobodys of ['nobody-s', '', '../charges', 'é\n'.repeat(50)])
      expect(await gateway.verify(nobodys)).toMatchObject({ outcome: 'refused' });
    expect(await setup().payments()).toEqual([]);
  });
}

function charges(setup: () => GatewaySetup): void {
  it('charges the amount to the card, to the cent', async () => {
    const { gateway, cards } = setup();

    const outcome = await gateway.charge(aCharge(cards.good, { amountUsd: '90071992547.99' }));

    expect(outcome).toEqual({ outcome: 'paid', paymentId: WORDS });
    expect(await setup().payments()).toEqual([
      { id: (outcome as { paymentId: string }).paymentId, reference: cards.good, amountUsd: '90071992547.99' },
    ]);
  });

  it('says in words that a card was declined, and charges nothing', async () => {
    const { gateway, cards } = setup();

    for (const card of [cards.declining, cards.expired, 'nobody-s'])
      expect(await gateway.charge(aCharge(card))).toEqual({ outcome: 'declined', reason: WORDS });
    expect(await setup().payments()).toEqual([]);
  });
}

function chargesOnce(setup: () => GatewaySetup): void {
  it('charges once for a key, however often and however many at once', async () => {
    const { gateway, cards } = setup();
    const charge = aCharge(cards.good);

    const outcomes = await Promise.all([gateway.charge(charge), gateway.charge(charge), gateway.charge(charge)]);
    outcomes.push(await gateway.charge({ ...charge }));

    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
    expect(await setup().payments()).toHaveLength(1);
  });

  it('charges twice for two keys, and keeps to what it answered for one', async () => {
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
  it('does not take one key for two charges', async () => {
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
    'does not charge %p, which is no amount',
    async (amountUsd) => {
      const { gateway, cards } = setup();

      await expect(gateway.charge(aCharge(cards.good, { amountUsd }))).rejects.toMatchObject({ fault: 'misused' });
      expect(await setup().payments()).toEqual([]);
    },
  );
}

function canBeAskedAgain(setup: () => GatewaySetup): void {
  it('says that it may be asked again while the gateway is away, and then charges once', async () => {
    const { gateway, cards } = setup();
    const charge = aCharge(cards.good);
    setup().goAway();
    await expect(gateway.charge(charge)).rejects.toMatchObject({ fault: 'unavailable', isRetryable: true });
    await expect(gateway.verify(cards.good)).rejects.toMatchObject({ fault: 'unavailable' });

    setup().comeBack();

    expect(await gateway.charge(charge)).toMatchObject({ outcome: 'paid' });
    expect(await setup().payments()).toHaveLength(1);
  });

  it('charges once when its answer was lost and it is asked again', async () => {
    const { gateway, cards } = setup();
    const charge = aCharge(cards.good);
    setup().loseNextAnswer();

    await expect(gateway.charge(charge)).rejects.toMatchObject({ fault: 'unavailable', isRetryable: true });

    expect(await gateway.charge(charge)).toMatchObject({ outcome: 'paid' });
    expect(await setup().payments()).toHaveLength(1);
  });
}
