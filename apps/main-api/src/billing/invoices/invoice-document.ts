/** A period in which a deployment had one shape at one price. */
export interface InvoicePeriod {
  /** ISO dates or instants (UTC). */
  from: string;
  to: string;
  /** The shape as text. */
  text: string;
  monthlyUsd: string;
}

/** The usage of one deployment. Amounts and quantities are decimal strings. */
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

/** The recipient of the invoice: the billing information of the organization at the time of issue. */
export interface InvoiceRecipient {
  company: string | null;
  email: string | null;
  address: InvoiceAddress | null;
  tax_id: string | null;
  purchase_order: string | null;
}

/** The issuer of the invoice. */
export interface InvoiceIssuer {
  name: string;
  /** The lines of the address. */
  address: string[];
  taxId: string | null;
  /** May have several lines. Shown while the invoice is due. */
  paymentInstructions: string | null;
}

export interface InvoiceTotals {
  computeUsd: string;
  storageUsd: string;
  transferUsd: string;
  totalUsd: string;
}

/** All data of an invoice PDF (C-25.11). Drawing it needs no query and no calculation. */
export interface InvoiceDocument {
  /** Null for a draft. */
  number: string | null;
  status: 'draft' | 'pending' | 'paid' | 'failed' | 'cancelled';
  /** `YYYY-MM`, UTC. */
  month: string;
  issuedAt: Date | null;
  dueAt: Date | null;
  /** Time of the payment or the cancellation. */
  settledAt: Date | null;
  issuer: InvoiceIssuer;
  billTo: InvoiceRecipient;
  tenantName: string;
  lines: InvoiceLine[];
  /** Deployments that the totals include and the lines do not show. */
  moreLines: number;
  totals: InvoiceTotals;
  /** Set for an extract: lines and totals are only those of this division. */
  division: string | null;
}
