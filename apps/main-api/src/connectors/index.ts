export { ConnectorsModule } from './connectors.module.js';
