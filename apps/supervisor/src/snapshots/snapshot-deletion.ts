import type { DiagnosticSnapshotId } from '@libs/domain';
import type { Work } from '../platform/index.js';

/** Returns the work that deletes a diagnostic snapshot. */
export const snapshotDeletion = (id: DiagnosticSnapshotId): Work => ({
  type: 'delete_snapshot',
  memo: { snapshot_id: id },
});
