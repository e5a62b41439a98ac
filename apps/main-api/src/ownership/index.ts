export { OwnershipModule } from './ownership.module.js';
