import type { MainApiConfig } from '../config.js';

/** Address of a page for people, as mails link it. */
export function pageUrl(
  { LANDLORD_PUBLIC_URL, MAIN_API_PORT }: Pick<MainApiConfig, 'LANDLORD_PUBLIC_URL' | 'MAIN_API_PORT'>,
  page: string,
  query: Record<string, string> = {},
): string {
  const url = new URL(LANDLORD_PUBLIC_URL ?? `http://localhost:${MAIN_API_PORT}`);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/pages/${page}`;
  url.search = new URLSearchParams(query).toString();
  return url.toString();
}
