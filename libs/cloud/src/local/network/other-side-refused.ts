/** A refused action of the other side of the local cloud. `message` is one sentence for the operator. */
export class OtherSideRefused extends Error {
  override readonly name = 'OtherSideRefused';
}
