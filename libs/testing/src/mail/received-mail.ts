/** A parsed mail. */
export interface ReceivedMail {
  /** By name in lower case, with unfolded lines. A name that occurs several times has all its values. */
  headers: Record<string, string[]>;
  text: string;
  /** Null for a mail with only text. */
  html: string | null;
  raw: string;
}

/** Parses a mail: plain text, optionally with an HTML alternative. */
export function parseMail(raw: string): ReceivedMail {
  const { headers, body } = partOf(raw.replaceAll('\r\n', '\n'));
  const boundary = /^multipart\/alternative;.*boundary="?([^";]+)/.exec(headers['content-type']?.[0] ?? '')?.[1];
  if (boundary === undefined) return { headers, text: decoded(body, headers), html: null, raw };
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => partOf(part.replace(/^\n/, '').replace(/\n$/, '')));
  const find = (type: string): string | null => {
    const part = parts.find((one) => one.headers['content-type']?.[0]?.startsWith(type));
    return part ? decoded(part.body, part.headers) : null;
  };
  return { headers, text: find('text/plain') ?? '', html: find('text/html'), raw };
}

function partOf(lines: string): { headers: Record<string, string[]>; body: string } {
  const end = lines.indexOf('\n\n');
  const headers: Record<string, string[]> = {};
  for (const line of lines
    .slice(0, end)
    .replaceAll(/\n[ \t]+/g, ' ')
    .split('\n')) {
    const colon = line.indexOf(':');
    (headers[line.slice(0, colon).toLowerCase()] ??= []).push(line.slice(colon + 1).trim());
  }
  return { headers, body: lines.slice(end + 2) };
}

function decoded(body: string, headers: Record<string, string[]>): string {
  const encoding = headers['content-transfer-encoding']?.[0] ?? '7bit';
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  if (encoding !== 'quoted-printable') return body;
  const bytes = body
    .replaceAll('=\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
