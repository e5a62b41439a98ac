export { BillingModule } from './billing.module.js';
export { BillingWorkModule } from './billing-work.module.js';
