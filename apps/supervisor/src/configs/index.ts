export { ConfigsModule } from './configs.module.js';
