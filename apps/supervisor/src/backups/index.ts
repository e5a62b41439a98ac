export { BackupKeepingModule, BackupRequestsModule, BackupsModule } from './backups.module.js';
export { BackupRequests } from './backup-requests.js';
