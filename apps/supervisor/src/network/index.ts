export { NetworkModule } from './network.module.js';
