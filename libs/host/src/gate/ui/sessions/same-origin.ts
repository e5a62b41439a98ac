import type { IncomingMessage } from 'node:http';

/** The page sends this header with every change. Other sites cannot set it without a preflight request, which fails. */
export const PAGE_HEADER = 'landlord-page';

/**
 * Whether the request comes from a page of this host. A browser sends `origin` with every change and every WebSocket, and no
 * script can change it.
 */
export function isSameOrigin({ headers }: IncomingMessage): boolean {
  const { origin, host } = headers;
  if (origin === undefined || host === undefined) return false;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return false;
  return hostOf(origin) === host.toLowerCase();
}

function hostOf(origin: string): string | null {
  const [, host] = /^https?:\/\/([^/?#@\s]+)$/.exec(origin.toLowerCase()) ?? [];
  return host ?? null;
}
