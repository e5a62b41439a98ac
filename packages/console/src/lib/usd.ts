const DOLLARS = { style: 'currency', currency: 'USD' } as const;
const CENTS = new Intl.NumberFormat('en', DOLLARS);
const EXACT = new Intl.NumberFormat('en', { ...DOLLARS, maximumFractionDigits: 6 });

/** An amount of US dollars, to the cent. */
export const usd = (amount: number | string): string => CENTS.format(Number(amount));

/** An amount that can be a part of a cent, such as the price of one GB, with all its digits. */
export const exactUsd = (amount: number | string): string => EXACT.format(Number(amount));

/** A price of a month in US dollars: what is fixed, and the estimated transfer. */
interface MonthlyPrice {
  monthly_base_usd: number;
  monthly_total_usd: number;
}

/** A line of a price now, after a change, and what the change adds. */
export interface PriceLine {
  name: string;
  now: string;
  after: string;
  more: string;
}

/**
 * The price of a month before and after a change. Each line and each column adds up to the cent as it is written: the rest of a cent goes to
 * the estimated transfer.
 */
export function priceLines(after: MonthlyPrice, difference: MonthlyPrice): readonly PriceLine[] {
  const columns = [before(after, difference), after].map(({ monthly_base_usd, monthly_total_usd }) => {
    const [base, total] = [centsOf(monthly_base_usd), centsOf(monthly_total_usd)];
    return [base, total - base, total] as const;
  });
  const [first, second] = columns as [(typeof columns)[0], (typeof columns)[0]];
  return ['Nodes and storage', 'Estimated transfer', 'Total'].map((name, line) => {
    const [now = 0, then = 0] = [first[line], second[line]];
    return { name, now: usd(now / 100), after: usd(then / 100), more: usd((then - now) / 100) };
  });
}

const before = (after: MonthlyPrice, difference: MonthlyPrice): MonthlyPrice => ({
  monthly_base_usd: after.monthly_base_usd - difference.monthly_base_usd,
  monthly_total_usd: after.monthly_total_usd - difference.monthly_total_usd,
});

const centsOf = (amount: number): number => Math.round(amount * 100);
