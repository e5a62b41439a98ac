export { DivisionsModule } from './divisions.module.js';
