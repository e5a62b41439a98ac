export { SupervisorTokensModule } from './supervisor-tokens.module.js';
