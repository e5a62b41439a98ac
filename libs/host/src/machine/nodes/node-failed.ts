import { HostError } from '../../os/host-error.js';

/** The node cannot run on this machine. `message` is a sentence for the operator. */
export class NodeFailed extends HostError {
  override readonly name = 'NodeFailed';
}
