const FORMAT = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' });

/** An amount of US dollars. */
export const usd = (amount: number): string => FORMAT.format(amount);
