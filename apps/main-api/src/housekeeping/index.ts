export { HousekeepingModule } from './housekeeping.module.js';
