export { EnvironmentsModule } from './environments.module.js';
export { EnvironmentsService } from './environments.service.js';
