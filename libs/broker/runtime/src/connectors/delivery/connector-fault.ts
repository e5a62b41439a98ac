/** A connector cannot work by its configuration: no use in trying again before that changes. One line without secrets. */
export class ConnectorFault extends Error {
  override readonly name = 'ConnectorFault';
}
