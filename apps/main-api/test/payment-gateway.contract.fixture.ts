import type { Charge, PaymentGateway } from '../src/billing/payments/payment-gateway.js';

/** What the other side of a gateway has in its books. */
export interface Payment {
  id: string;
  reference: string;
  amountUsd: string;
}

/** A gateway with what a test needs around it: a sandbox of the real one, or something that plays it. */
export interface GatewayGround {
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
export function chargesAsPromised(make: () => Promise<GatewayGround>): void {
  let ground: GatewayGround;
  beforeEach(async () => {
    ground = await make();
  });
  afterEach(() => ground.stop());

  judgesCards(() => ground);
  charges(() => ground);
  chargesOnce(() => ground);
  refusesNonsense(() => ground);
  canBeAskedAgain(() => ground);
}

function judgesCards(ground: () => GatewayGround): void {
  it('has a name for people', () => {
    expect(ground().gateway.provider).toMatch(/\S/);
  });

  it('knows a good card, and says in words why another is none, without charging any', async () => {
    const { gateway, cards } = ground();

    expect(await gateway.verify(cards.good)).toEqual({ outcome: 'good' });
    expect(await gateway.verify(cards.expired)).toEqual({ outcome: 'refused', reason: WORDS });
    for (const nobodys of ['nobody-s', '', '../charges', 'é\n'.repeat(50)])
      expect(await gateway.verify(nobodys)).toMatchObject({ outcome: 'refused' });
    expect(await ground().payments()).toEqual([]);
  });
}

function charges(ground: () => GatewayGround): void {
  it('charges the amount to the card, to the cent', async () => {
    const { gateway, cards } = ground();

    const outcome = await gateway.charge(aCharge(cards.good, { amountUsd: '90071992547.99' }));

    expect(outcome).toEqual({ outcome: 'paid', paymentId: WORDS });
    expect(await ground().payments()).toEqual([
      { id: (outcome as { paymentId: string }).paymentId, reference: cards.good, amountUsd: '90071992547.99' },
    ]);
  });

  it('says in words that a card was declined, and charges nothing', async () => {
    const { gateway, cards } = ground();

    for (const card of [cards.declining, cards.expired, 'nobody-s'])
      expect(await gateway.charge(aCharge(card))).toEqual({ outcome: 'declined', reason: WORDS });
    expect(await ground().payments()).toEqual([]);
  });
}

function chargesOnce(ground: () => GatewayGround): void {
  it('charges once for a key, however often and however many at once', async () => {
    const { gateway, cards } = ground();
    const charge = aCharge(cards.good);

    const outcomes = await Promise.all([gateway.charge(charge), gateway.charge(charge), gateway.charge(charge)]);
    outcomes.push(await gateway.charge({ ...charge }));

    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
    expect(await ground().payments()).toHaveLength(1);
  });

  it('charges twice for two keys, and keeps to what it answered for one', async () => {
    const { gateway, cards } = ground();
    const declined = aCharge(cards.declining);

    await gateway.charge(aCharge(cards.good));
    await gateway.charge(aCharge(cards.good));
    const first = await gateway.charge(declined);

    expect(await gateway.charge(declined)).toEqual(first);
    expect(await ground().payments()).toHaveLength(2);
  });
}

function refusesNonsense(ground: () => GatewayGround): void {
  it('does not take one key for two charges', async () => {
    const { gateway, cards } = ground();
    const charge = aCharge(cards.good);
    await gateway.charge(charge);

    for (const other of [{ amountUsd: '12.31' }, { reference: cards.declining }])
      await expect(gateway.charge({ ...charge, ...other })).rejects.toMatchObject({
        fault: 'misused',
        isRetryable: false,
      });
    expect(await ground().payments()).toHaveLength(1);
  });

  it.each(['0.00', '-1.00', '1.005', '1,00', '1e3', 'NaN', '', ' 1.00', '01.00'])(
    'does not charge %p, which is no amount',
    async (amountUsd) => {
      const { gateway, cards } = ground();

      await expect(gateway.charge(aCharge(cards.good, { amountUsd }))).rejects.toMatchObject({ fault: 'misused' });
      expect(await ground().payments()).toEqual([]);
    },
  );
}

function canBeAskedAgain(ground: () => GatewayGround): void {
  it('says that it may be asked again while the gateway is away, and then charges once', async () => {
    const { gateway, cards } = ground();
    const charge = aCharge(cards.good);
    ground().goAway();
    await expect(gateway.charge(charge)).rejects.toMatchObject({ fault: 'unavailable', isRetryable: true });
    await expect(gateway.verify(cards.good)).rejects.toMatchObject({ fault: 'unavailable' });

    ground().comeBack();

    expect(await gateway.charge(charge)).toMatchObject({ outcome: 'paid' });
    expect(await ground().payments()).toHaveLength(1);
  });

  it('charges once when its answer was lost and it is asked again', async () => {
    const { gateway, cards } = ground();
    const charge = aCharge(cards.good);
    ground().loseNextAnswer();

    await expect(gateway.charge(charge)).rejects.toMatchObject({ fault: 'unavailable', isRetryable: true });

    expect(await gateway.charge(charge)).toMatchObject({ outcome: 'paid' });
    expect(await ground().payments()).toHaveLength(1);
  });
}
