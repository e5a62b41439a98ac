export { ActivitiesModule } from './activities.module.js';
export { ActivityRequests } from './activity-requests.js';
