export { CleanupModule } from './cleanup.module.js';
