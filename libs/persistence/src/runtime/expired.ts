/** Something that a deployment kept, whose time is over. */
export interface Expired {
  id: number;
  deploymentId: number;
}
