export { JoinRequestsModule } from './join-requests.module.js';
