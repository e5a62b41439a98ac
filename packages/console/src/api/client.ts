import { createClient, type Landlord } from '@landlord/sdk';
import { noticeTime } from './clock.js';
import { csrfToken } from './csrf.js';
import { keepEtag } from './etags.js';
import { supervisorToken } from './supervisor-tokens.js';

const CSRF_HEADER = 'x-csrf-token';

/** The client of each tenant. Two tabs can show two tenants, so no tenant is stored. */
const clients = new Map<number, Landlord>();

/** The client for requests in the tenant. */
export function landlordOf(tenantId: number): Landlord {
  const known = clients.get(tenantId);
  if (known) return known;
  const client = createClient({
    url: location.origin,
    tenantId,
    fetch: (input, init) => signedFetch(input as string, init, tenantId),
  });
  clients.set(tenantId, client);
  return client;
}

/** The client for requests about everything that one Supervisor has of the tenant. */
export const landlordAt = (tenantId: number, supervisorUrl: string): Landlord =>
  createClient({
    ...{ url: location.origin, tenantId, supervisorUrl },
    fetch: (input, init) => signedFetch(input as string, init, tenantId),
  });

/** The client for requests without a tenant. */
export const landlord: Landlord = createClient({
  url: location.origin,
  fetch: (input, init) => signedFetch(input as string, init, null),
});

/** The SDK gives addresses as texts. The main API takes the cookie and the token of the session. A Supervisor takes a token of its own, and no cookie. */
async function signedFetch(url: string, init: RequestInit = {}, tenantId: number | null): Promise<Response> {
  const headers = new Headers(init.headers);
  const { origin } = new URL(url);
  if (origin === location.origin) {
    const token = csrfToken();
    if (token !== null) headers.set(CSRF_HEADER, token);
    const answer = await fetch(url, { ...init, headers, credentials: 'same-origin' });
    noticeTime(answer);
    return seen(url, init, answer);
  }
  if (tenantId === null) throw new TypeError(`${url} needs a tenant.`);
  headers.set('ld-api-key', await supervisorToken(landlordOf(tenantId), tenantId, origin));
  return seen(url, init, await fetch(url, { ...init, headers, credentials: 'omit' }));
}

function seen(url: string, { method }: RequestInit, response: Response): Response {
  if (method === 'GET') keepEtag(url, response);
  return response;
}
