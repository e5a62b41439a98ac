import { setImmediate } from 'node:timers/promises';
import type { GatewaySetup, Payment } from './payment-gateway.contract.fixture.js';
import {
  PaymentGateway,
  type CardVerdict,
  type Charge,
  type ChargeOutcome,
} from '../src/billing/payments/payment-gateway.js';
import { PaymentGatewayError } from '../src/billing/payments/payment-gateway-error.js';

const CARDS = { good: 'card-good', declining: 'card-declining', expired: 'card-expired' };

/** Test code: a payment gateway and its driver in memory. It charges no card and stores nothing. */
export class InMemoryGateway extends PaymentGateway {
  readonly provider = 'In-memory test gateway';
  readonly payments: Payment[] = [];
  isAway = false;
  losesNextAnswer = false;
  private readonly answers = new Map<string, { fingerprint: string; outcome: ChargeOutcome }>();

  async verify(reference: string): Promise<CardVerdict> {
    return this.reached(() => {
      if (reference === CARDS.good || reference === CARDS.declining) return { outcome: 'good' };
      return { outcome: 'refused', reason: reference === CARDS.expired ? 'has expired' : 'is no card that is known' };
    });
  }

  async charge({ idempotencyKey, reference, amountUsd }: Charge): Promise<ChargeOutcome> {
    if (!/^(0|[1-9]\d*)\.\d\d$/u.test(amountUsd) || amountUsd === '0.00')
      throw new PaymentGatewayError('misused', `${amountUsd} is no amount.`);
    return this.reached(() => {
      const fingerprint = JSON.stringify([reference, amountUsd]);
      const answer = this.answers.get(idempotencyKey) ?? {
        fingerprint,
        outcome: this.settle(reference, amountUsd),
      };
      if (answer.fingerprint !== fingerprint)
        throw new PaymentGatewayError('misused', 'The key was used for another charge.');
      this.answers.set(idempotencyKey, answer);
      return answer.outcome;
    });
  }

  private settle(reference: string, amountUsd: string): ChargeOutcome {
    if (reference !== CARDS.good) return { outcome: 'declined', reason: 'was declined by its bank' };
    const id = `payment-${this.payments.length + 1}`;
    this.payments.push({ id, reference, amountUsd });
    return { outcome: 'paid', paymentId: id };
  }

  private async reached<T>(answer: () => T): Promise<T> {
    await setImmediate();
    if (this.isAway) throw new PaymentGatewayError('unavailable', 'The gateway is away.');
    const answered = answer();
    await setImmediate();
    if (!this.losesNextAnswer) return answered;
    this.losesNextAnswer = false;
    throw new PaymentGatewayError('unavailable', 'The answer was lost.');
  }
}

export async function anInMemoryGateway(): Promise<GatewaySetup & { gateway: InMemoryGateway }> {
  const gateway = new InMemoryGateway();
  return {
    gateway,
    cards: CARDS,
    payments: async () => [...gateway.payments],
    goAway: () => void (gateway.isAway = true),
    comeBack: () => void (gateway.isAway = false),
    loseNextAnswer: () => void (gateway.losesNextAnswer = true),
    stop: async () => undefined,
  };
}
