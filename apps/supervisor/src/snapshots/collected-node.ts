/** What a node uploaded for a snapshot, as the operation remembers it from step to step. */
export interface CollectedNode {
  node_id: number;
  /** Key of its diagnostics; null when it told nothing. */
  diagnostics: string | null;
  /** Key of its data; null without. */
  data: string | null;
  /** Why it told nothing; null when it did. */
  missing: string | null;
}
