import type { InvoiceDocument, InvoiceLine } from '../src/billing/invoices/invoice-document.js';

export const aLine = (changes: Partial<InvoiceLine> = {}): InvoiceLine => ({
  ...{ deployment: 'orders', code: 'orders-k3x9qa', division: 'Payments', environment: 'production' },
  ...{ computeHours: '744.00', storageGbHours: '74400.00', transferGb: '125.40' },
  ...{ computeUsd: '1310.40', storageUsd: '148.80', transferUsd: '11.29', totalUsd: '1470.49' },
  periods: [
    {
      ...{ from: '2026-10-01T00:00:00.000Z', to: '2026-11-01T00:00:00.000Z' },
      ...{ text: 'small, cluster of 3 nodes, 100 GB network drive', monthlyUsd: '1459.20' },
    },
  ],
  ...changes,
});

/** A pending invoice of an organization with all members set. */
export const anInvoice = (changes: Partial<InvoiceDocument> = {}): InvoiceDocument => ({
  ...{ number: 'INV-2026-000042', status: 'pending', month: '2026-10' },
  issuedAt: new Date('2026-11-01T03:00:00Z'),
  dueAt: new Date('2026-11-15T00:00:00Z'),
  settledAt: null,
  issuer: {
    name: 'Landlord Operations Ltd',
    address: ['1 Harbour Street', 'Dublin 2', 'Ireland'],
    taxId: 'IE1234567A',
    paymentInstructions:
      'Transfer to IBAN IE29 AIBK 9311 5212 3456 78, BIC AIBKIE2D.\nReference: the number of the invoice.',
  },
  billTo: {
    ...{
      company: 'Żółta Łódź sp. z o.o.',
      email: 'accounts@lodz.example',
      tax_id: 'PL5260001246',
      purchase_order: 'PO 4711',
    },
    address: {
      ...{ line_1: 'ul. Świętokrzyska 12', line_2: null, city: 'Łódź' },
      ...{ region: 'Łódzkie', postal_code: '90-001', country: 'Poland' },
    },
  },
  tenantName: 'Yellow Boat',
  lines: [
    aLine(),
    aLine({ deployment: 'telemetry', code: 'telemetry-8hw2pd', division: 'Fleet', environment: 'staging' }),
  ],
  moreLines: 0,
  totals: { computeUsd: '2620.80', storageUsd: '297.60', transferUsd: '22.58', totalUsd: '2940.98' },
  division: null,
  ...changes,
});
