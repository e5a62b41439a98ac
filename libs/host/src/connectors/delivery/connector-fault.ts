/** The configuration of a connector is unusable. A retry is useless before it changes. One line without secrets. */
export class ConnectorFault extends Error {
  override readonly name = 'ConnectorFault';
}
