export { LoginCodesModule } from './login-codes.module.js';
