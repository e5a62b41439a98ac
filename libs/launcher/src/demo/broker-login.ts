import { LauncherError } from '../launcher-error.js';

/** The addresses of a broker and the credentials of a client. */
export interface BrokerLogin {
  /** The broker driver of the node. */
  driver: string;
  /** `host:port` by protocol. Null: the node does not offer the protocol. */
  endpoints: Record<'tcp' | 'http' | 'websocket' | 'udp', string | null>;
  username: string;
  password: string;
  /** The command line of Apache Iggy on this machine. Null: there is none. */
  iggyCommand: string | null;
}

/** @throws LauncherError when the node does not offer the protocol */
export function endpointOf({ endpoints }: BrokerLogin, protocol: keyof BrokerLogin['endpoints']): string {
  const endpoint = endpoints[protocol];
  if (endpoint === null) throw new LauncherError(`The node has no endpoint for ${protocol}.`);
  return endpoint;
}
