/** Uses an installation as its customers do: with the first key. */
export declare class Customer {
  /** @param bootstrap The text of bootstrap.json. */
  constructor(bootstrap: string);
  /** Creates a Free deployment, and waits until it serves. Returns its addresses at both APIs. */
  create(place: { cloud: string; region: string }): Promise<{ main: string; live: string }>;
  /** The address of a node for MQTT, and the sign-in. */
  connection(deployment: { live: string }): Promise<{ endpoint: string; username: string; password: string }>;
  /** The status of an address for this key. */
  status(url: string): Promise<number>;
}
