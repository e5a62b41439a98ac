import type { NodeId } from '@libs/domain';

/** The uploads of a node for a snapshot, stored in the memo of the operation. */
export interface CollectedNode {
  node_id: NodeId;
  /** Key of the node's diagnostics; null if there are none. */
  diagnostics: string | null;
  /** Key of the node's data; null if there is none. */
  data: string | null;
  /** Why the diagnostics are missing; null if they exist. */
  missing: string | null;
}
