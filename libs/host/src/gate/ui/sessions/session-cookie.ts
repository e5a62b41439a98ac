import type { IncomingMessage } from 'node:http';
import { SESSION_MS } from './page-sessions.js';
import type { PageIdentity } from '../page-sources.js';

/**
 * Ports do not separate cookies. The name contains the deployment and the node, so that pages of several brokers on one host
 * do not overwrite each other's cookies.
 */
export const cookieName = ({ deployment_id, node_id }: PageIdentity): string =>
  `landlord_ui_d${deployment_id}_n${node_id}`;

export function tokenOf({ headers }: IncomingMessage, name: string): string | null {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [key, value] = pair.trim().split('=', 2);
    if (key === name && value) return value;
  }
  return null;
}

/** The header that stores the token in the browser. Null deletes the token. */
export function cookieHeader(name: string, token: string | null, isSecure: boolean): string {
  const age = token === null ? 0 : SESSION_MS / 1000;
  const secure = isSecure ? '; Secure' : '';
  return `${name}=${token ?? ''}; Path=/ui; Max-Age=${age}; HttpOnly; SameSite=Strict${secure}`;
}
