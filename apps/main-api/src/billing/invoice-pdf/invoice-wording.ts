import type { InvoiceDocument } from '../invoices/invoice-document.js';

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August'],
  ...['September', 'October', 'November', 'December'],
];

/** `1234567.80` as `1,234,567.80`. Another text is unchanged: an amount is never guessed. */
export function decimal(text: string): string {
  const [, sign, whole, fraction] = /^(-?)(\d+)(\.\d+)?$/u.exec(text) ?? [];
  if (whole === undefined) return text;
  return `${sign ?? ''}${whole.replace(/\B(?=(\d{3})+$)/gu, ',')}${fraction ?? ''}`;
}

/** `15 November 2026`, UTC. Not by Intl: its texts, and so the bytes of the PDF, change with the release of Node. */
export const day = (date: Date): string =>
  `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;

/** `2026-10` as `October 2026`. */
export function monthName(month: string): string {
  const [year, number] = month.split('-');
  return `${MONTHS[Number(number) - 1] ?? number} ${year}`;
}

/** `2026-10-15T08:30:00.000Z` as `2026-10-15 08:30`. Midnight is left out. */
export function instant(text: string): string {
  const [, date, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/u.exec(text) ?? [];
  if (date === undefined) return text;
  return time === '00:00' ? date : `${date} ${time}`;
}

export const isDue = ({ status, division }: InvoiceDocument): boolean =>
  (status === 'pending' || status === 'failed') && division === null;

/** Returns the heading. */
export function titleOf({ status, division }: InvoiceDocument): string {
  if (division !== null) return 'Extract of invoice';
  return status === 'draft' ? 'Draft invoice' : 'Invoice';
}

export interface Stamp {
  text: string;
  color: string;
}

/** Returns the stamp of the status; null for an invoice that waits for its payment. */
export function stampOf({ status, settledAt }: InvoiceDocument): Stamp | null {
  const since = settledAt ? ` ${day(settledAt)}` : '';
  if (status === 'draft') return { text: 'DRAFT', color: '#8a5a00' };
  if (status === 'paid') return { text: `PAID${since}`, color: '#1b6e3c' };
  if (status === 'cancelled') return { text: `CANCELLED${since}`, color: '#a3231a' };
  if (status === 'failed') return { text: 'PAYMENT FAILED', color: '#a3231a' };
  return null;
}

/** Returns the advice for the reader. */
export function advice(invoice: InvoiceDocument): string | null {
  const { status, dueAt, division } = invoice;
  if (status === 'draft')
    return 'This is a draft: its amounts change until the month is over. There is nothing to pay yet.';
  if (status === 'cancelled') return 'This invoice was cancelled. There is nothing to pay.';
  if (status === 'paid') return 'This invoice is paid. There is nothing left to pay.';
  if (division !== null) return null;
  if (status === 'failed') return 'The payment did not go through. The amount is still due.';
  return dueAt ? `Please pay by ${day(dueAt)}.` : null;
}

/** Returns the label of the total. */
export function sumLabel(invoice: InvoiceDocument): string {
  if (invoice.division !== null) return 'Total of the division';
  if (invoice.status === 'paid') return 'Total, paid';
  return isDue(invoice) ? 'Total due' : 'Total';
}
