export { ApiKeysModule } from './api-keys.module.js';
export { ApiKeysWorkModule } from './api-keys-work.module.js';
