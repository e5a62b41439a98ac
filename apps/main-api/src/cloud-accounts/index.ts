export { CloudAccountsModule } from './cloud-accounts.module.js';
