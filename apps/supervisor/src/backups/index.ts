export { BackupCleanupModule } from './backup-cleanup.module.js';
export { BackupRequests } from './backup-requests.js';
export { BackupRequestsModule } from './backup-requests.module.js';
export { BackupsModule } from './backups.module.js';
