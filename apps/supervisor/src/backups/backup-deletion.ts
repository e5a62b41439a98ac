import type { BackupId } from '@libs/domain';
import type { Work } from '../platform/index.js';

/** Returns the work that deletes a backup. */
export const backupDeletion = (id: BackupId): Work => ({ type: 'delete_backup', memo: { backup_id: id } });
