/** The ports that a client uses. Clients of MQTT have no HTTP. */
export type ClientPort = 'tcp' | 'http' | 'websocket';

/** The username and the password of a deployment. */
export interface Login {
  username: string;
  password: string;
}

/** Where and how a client signs in. */
export interface ClientTarget {
  /** Host and port. */
  endpoint: string;
  login: Login;
  over: ClientPort;
  /** The certificate authorities of a client that uses TLS. Without this member the client does not use TLS. */
  ca?: string | string[];
}

/** The broker refused the credentials. */
export class SignInRefused extends Error {}

/** A signed-in client of a broker, in the protocol of its driver. */
export interface BrokerClient {
  /** Whether the broker has ended the connection. A client of HTTP has no connection, so this is always false. */
  readonly isCut: boolean;
  /** Resolves when the connection has ended. */
  readonly cut: Promise<void>;
  /** Writes texts that the broker keeps. Resolves when it has acknowledged all of them. Texts of a topic must differ. */
  write(topic: string, ...texts: string[]): Promise<void>;
  /** Sends one text to the topic with the name of the stream. Resolves when the broker has acknowledged the text. */
  send(stream: string, text: string): Promise<void>;
  /** Waits some seconds until the topic has `count` texts. Returns exactly the texts that it has then, in any order. */
  readAll(topic: string, count: number): Promise<string[]>;
  close(): Promise<void>;
}
