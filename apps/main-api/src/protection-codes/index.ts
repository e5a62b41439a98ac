export { ProtectionCodes } from './protection-codes.js';
export { ProtectionCodesModule } from './protection-codes.module.js';
