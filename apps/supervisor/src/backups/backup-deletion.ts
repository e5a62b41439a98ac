import type { Work } from '../platform/index.js';

/** The work that deletes a backup. */
export const backupDeletion = (id: number): Work => ({ type: 'delete_backup', memo: { backup_id: id } });
