export { ByocModule } from './byoc.module.js';
