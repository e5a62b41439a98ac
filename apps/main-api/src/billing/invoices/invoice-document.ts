/** A stretch of time in which a deployment had one shape at one price. */
export interface InvoicePeriod {
  /** ISO dates or instants (UTC). */
  from: string;
  to: string;
  /** The shape in words. */
  text: string;
  monthlyUsd: string;
}

/** What one deployment used. Amounts and quantities are decimal strings. */
export interface InvoiceLine {
  deployment: string;
  code: string;
  division: string;
  environment: string;
  computeHours: string;
  storageGbHours: string;
  transferGb: string;
  computeUsd: string;
  storageUsd: string;
  transferUsd: string;
  totalUsd: string;
  periods: InvoicePeriod[];
}

export interface InvoiceAddress {
  line_1: string | null;
  line_2: string | null;
  city: string | null;
  region: string | null;
  postal_code: string | null;
  country: string | null;
}

/** Who is asked for the money, as the organization's billing information said when the invoice was issued. */
export interface InvoiceRecipient {
  company: string | null;
  email: string | null;
  address: InvoiceAddress | null;
  tax_id: string | null;
  purchase_order: string | null;
}

/** Who asks for the money. */
export interface InvoiceIssuer {
  name: string;
  /** Lines. */
  address: string[];
  taxId: string | null;
  /** Several lines, if need be; shown while something is to be paid. */
  paymentInstructions: string | null;
}

export interface InvoiceTotals {
  computeUsd: string;
  storageUsd: string;
  transferUsd: string;
  totalUsd: string;
}

/** Everything that stands on the paper of an invoice (C-25.11): nothing is looked up or counted while it is drawn. */
export interface InvoiceDocument {
  /** Null for a draft. */
  number: string | null;
  status: 'draft' | 'pending' | 'paid' | 'failed' | 'cancelled';
  /** `YYYY-MM`, UTC. */
  month: string;
  issuedAt: Date | null;
  dueAt: Date | null;
  /** When it was paid or cancelled. */
  settledAt: Date | null;
  issuer: InvoiceIssuer;
  billTo: InvoiceRecipient;
  tenantName: string;
  lines: InvoiceLine[];
  /** Deployments that are in the totals and not among the lines. */
  moreLines: number;
  totals: InvoiceTotals;
  /** Set for an extract: lines and totals are those of this division alone. */
  division: string | null;
}
