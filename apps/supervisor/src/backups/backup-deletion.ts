import type { Work } from '../platform/index.js';

/** Returns the work that deletes a backup. */
export const backupDeletion = (id: number): Work => ({ type: 'delete_backup', memo: { backup_id: id } });
