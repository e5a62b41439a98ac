/** The etags of the records that the tab has read, by the path. A change names the etag, so that it does not overwrite what the tab has not seen. */
const etags = new Map<string, string>();

export const etagAt = (path: string): string | undefined => etags.get(path);

export function keepEtag(url: string, response: Response): void {
  const etag = response.headers.get('etag');
  if (response.ok && etag !== null) etags.set(new URL(url).pathname, etag);
}

/** Without an etag, a change is not refused a second time. */
export const forgetEtag = (path: string): boolean => etags.delete(path);

/** After a change of its own, the tab knows no etag of what the change is about, until the page is read again. */
export function forgetEtagsOf(path: string): void {
  for (const known of etags.keys()) if (path === known || path.startsWith(`${known}/`)) etags.delete(known);
}

/** For the end of a session. */
export const forgetEtags = (): void => etags.clear();
