import type { MainApiConfig } from '../config.js';

type PublicAddress = Pick<MainApiConfig, 'LANDLORD_PUBLIC_URL' | 'MAIN_API_PORT'>;

/**
 * Returns the address of a page of the console, for links in mails. The token is in the fragment: browsers send it to no
 * server, so no log has it.
 */
export function pageUrl(config: PublicAddress, path: `/${string}`, token = ''): string {
  const url = new URL(publicUrl(config, `/console${path}`));
  url.hash = token;
  return url.toString();
}

/** Returns the public address of a path of this API. */
export function publicUrl({ LANDLORD_PUBLIC_URL, MAIN_API_PORT }: PublicAddress, path: string): string {
  const url = new URL(LANDLORD_PUBLIC_URL ?? `http://localhost:${MAIN_API_PORT}`);
  url.pathname = `${url.pathname.replace(/\/$/, '')}${path}`;
  return url.toString();
}
