export { AccessRulesModule } from './access-rules.module.js';
