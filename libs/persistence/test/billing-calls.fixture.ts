import { BillingInfosRepository, InvoiceAgreementsRepository, PaymentMethodsRepository } from '../src/billing/index.js';
import { callsOf } from './calls-of.fixture.js';
import { TENANT } from './typeorm-rows.fixture.js';

export const BILLING_CALLS = [
  callsOf(PaymentMethodsRepository, {
    find: (methods) => methods.find(TENANT),
    delete: (methods) => methods.delete(TENANT),
  }),
  callsOf(InvoiceAgreementsRepository, {
    exists: (agreements) => agreements.exists(TENANT),
    revoke: (agreements) => agreements.revoke(TENANT),
  }),
  callsOf(BillingInfosRepository, { find: (infos) => infos.find(TENANT) }),
];
