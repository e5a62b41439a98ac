/** A stored object of a deployment whose retention is over. */
export interface Expired {
  id: number;
  deploymentId: number;
}
