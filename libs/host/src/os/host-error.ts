/** Something on this machine needs a person. `message` is one sentence for them, without secrets. */
export class HostError extends Error {
  override readonly name: string = 'HostError';
}
