import { exactUsd, priceLines, usd } from './usd.js';

const price = (monthly_base_usd: number, monthly_total_usd: number) => ({ monthly_base_usd, monthly_total_usd });

describe('An amount of US dollars', () => {
  it.each([
    [0, '$0.00'],
    [386.4, '$386.40'],
    ['1234.5', '$1,234.50'],
    [-3.999, '-$4.00'],
  ])('has cents: %s', (amount, words) => {
    expect(usd(amount)).toBe(words);
  });

  it.each([
    [0.1, '$0.10'],
    ['0.004167', '$0.004167'],
    [54, '$54.00'],
  ])('has parts of a cent where a price has them: %s', (amount, words) => {
    expect(exactUsd(amount)).toBe(words);
  });
});

describe('The price of a change', () => {
  it('has what is fixed, the estimated transfer and the total, before and after', () => {
    expect(priceLines(price(386.4, 517.8), price(164.25, 164.25))).toEqual([
      { name: 'Nodes and storage', now: '$222.15', after: '$386.40', more: '$164.25' },
      { name: 'Estimated transfer', now: '$131.40', after: '$131.40', more: '$0.00' },
      { name: 'Total', now: '$353.55', after: '$517.80', more: '$164.25' },
    ]);
  });

  it.each([
    [price(386.404, 517.806), price(164.254, 164.257)],
    [price(0.005, 0.01), price(0.001, 0.009)],
    [price(100.335, 200.665), price(33.333, 66.667)],
  ])('adds up as it is written, with parts of cents too', (after, difference) => {
    const lines = priceLines(after, difference).map(({ now, after: then, more }) =>
      [now, then, more].map((one) => Math.round(Number(one.replace(/[$,]/g, '')) * 100)),
    );
    const [base = [], transfer = [], total = []] = lines;

    expect(base.map((cents, at) => cents + (transfer[at] ?? NaN))).toEqual(total);
    for (const [now = NaN, then = NaN, more] of lines) expect(now + more!).toBe(then);
  });
});
