import { isLoopback, type SupervisorConfig } from './config.js';

type Addresses = Pick<SupervisorConfig, 'LANDLORD_PUBLIC_URL' | 'MAIN_API_PORT' | 'TLS_CERT'>;

/**
 * The origins of the console, which the main API serves: the public address of the main API. If that is an address of one
 * machine, also both usual names of this machine. `isLaunched`: the launcher runs both apps on one machine, and its link
 * opens the console at `localhost`.
 */
export function consoleOrigins(config: Addresses, isLaunched: boolean): string[] {
  const { LANDLORD_PUBLIC_URL, MAIN_API_PORT, TLS_CERT } = config;
  const localUrl = `${TLS_CERT === undefined ? 'http' : 'https'}://localhost:${MAIN_API_PORT}`;
  const publicUrl = new URL(LANDLORD_PUBLIC_URL ?? localUrl);
  const isLocal = isLoopback(publicUrl.hostname.replace(/^\[|\]$/g, ''));
  return [
    ...new Set([
      publicUrl.origin,
      ...(isLocal ? namesOf(publicUrl) : []),
      ...(isLaunched ? namesOf(new URL(localUrl)) : []),
    ]),
  ];
}

/** The same address at both usual names of this machine. */
const namesOf = ({ protocol, port }: URL): string[] =>
  ['localhost', '127.0.0.1'].map((host) => `${protocol}//${host}${port === '' ? '' : `:${port}`}`);
