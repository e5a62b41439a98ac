import type { MainApiConfig } from '../config.js';

type PublicAddress = Pick<MainApiConfig, 'LANDLORD_PUBLIC_URL' | 'MAIN_API_PORT'>;

/** Returns the address of a page for users, for links in mails. */
export function pageUrl(config: PublicAddress, page: string, query: Record<string, string> = {}): string {
  const url = new URL(publicUrl(config, `/pages/${page}`));
  url.search = new URLSearchParams(query).toString();
  return url.toString();
}

/** Returns the public address of a path of this API. */
export function publicUrl({ LANDLORD_PUBLIC_URL, MAIN_API_PORT }: PublicAddress, path: string): string {
  const url = new URL(LANDLORD_PUBLIC_URL ?? `http://localhost:${MAIN_API_PORT}`);
  url.pathname = `${url.pathname.replace(/\/$/, '')}${path}`;
  return url.toString();
}
