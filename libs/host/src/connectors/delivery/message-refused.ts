/** The destination will never take these messages, but takes others. One line without secrets. */
export class MessageRefused extends Error {
  override readonly name = 'MessageRefused';
}
