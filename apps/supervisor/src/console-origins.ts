import { isLoopback, type SupervisorConfig } from './config.js';

type Addresses = Pick<SupervisorConfig, 'LANDLORD_PUBLIC_URL' | 'MAIN_API_PORT' | 'TLS_CERT'>;

/**
 * The origins of the console, which the main API serves: the public address of the main API. On one machine also its
 * two usual names.
 */
export function consoleOrigins({ LANDLORD_PUBLIC_URL, MAIN_API_PORT, TLS_CERT }: Addresses): string[] {
  const own = `${TLS_CERT === undefined ? 'http' : 'https'}://localhost:${MAIN_API_PORT}`;
  const { protocol, hostname, port, origin } = new URL(LANDLORD_PUBLIC_URL ?? own);
  if (!isLoopback(hostname.replace(/^\[|\]$/g, ''))) return [origin];
  const suffix = port === '' ? '' : `:${port}`;
  return [...new Set([origin, ...['localhost', '127.0.0.1'].map((host) => `${protocol}//${host}${suffix}`)])];
}
