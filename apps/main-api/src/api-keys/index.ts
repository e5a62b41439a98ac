export { ApiKeysModule } from './api-keys.module.js';
export { ApiKeysWorkModule } from './api-keys-work.module.js';
export { ApiKeyIssuance } from './api-key-issuance.js';
export { ApiKeyWithSecretView } from './dto/api-key.view.js';
