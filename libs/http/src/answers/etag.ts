import { hash } from 'node:crypto';

/** What Landlord itself notes in a record between two changes: a report of a node, the use of a key. No client writes these members. */
const NOTED = [
  ...['last_heartbeat_at', 'last_report_at', 'last_run_at', 'last_seen_at', 'last_used_at'],
  'supervisor_reachable',
];

/** Between the tag of what Landlord has noted and the tag of what was written. It occurs in neither of them. */
const SEPARATOR = '.';

/** Strong entity tag of a representation's exact bytes. */
export const etagOf = (text: string | Buffer): string => `"${tagOf(text)}"`;

/**
 * Strong entity tag of a record, `text` in JSON (C-4.7). A record with members that Landlord itself notes has a tag of two parts, of these
 * members and of the rest. So a change of what was read a minute ago is not refused because a node has reported since.
 */
export function recordEtagOf(record: object, text: string): string {
  const values = record as Record<string, unknown>;
  const noted = NOTED.filter((name) => name in values).map((name) => `"${name}":${JSON.stringify(values[name])}`);
  if (noted.length === 0) return etagOf(text);
  // A second JSON of the whole record would cost a read a tenth of its CPU time. Quotation marks inside of texts have a backslash.
  const written = noted.reduce((rest, member) => rest.replace(member, ''), text);
  return `"${tagOf(noted.join())}${SEPARATOR}${tagOf(written)}"`;
}

const tagOf = (text: string | Buffer): string => hash('sha1', text, 'base64url');

/** `if-none-match` uses weak comparison (RFC 9110, 13.1.2): a proxy that compresses answers makes their tags weak. */
export const isUnchanged = (header: string | undefined, etag: string): boolean =>
  header !== undefined && namesOf(header.replaceAll('W/"', '"')).some((name) => name === '*' || name === etag);

/** Whether a header `if-match` names what was written in the record as it is now, or is `*` (C-4.8). */
export const isAsRead = (header: string, record: object): boolean => {
  const written = writtenPartOf(recordEtagOf(record, JSON.stringify(record)));
  return namesOf(header).some((name) => name === '*' || writtenPartOf(name) === written);
};

const namesOf = (header: string): string[] => header.split(',').map((name) => name.trim());

const writtenPartOf = (etag: string): string => etag.replace(/^".+\./, '"');
