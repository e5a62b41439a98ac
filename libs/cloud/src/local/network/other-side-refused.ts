/** What the other side of the local cloud cannot do. `message` is one sentence for the operator. */
export class OtherSideRefused extends Error {
  override readonly name = 'OtherSideRefused';
}
