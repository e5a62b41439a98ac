/** The node cannot run on this machine. `message` is a sentence for the operator. */
export class NodeFailed extends Error {
  override readonly name = 'NodeFailed';
}
