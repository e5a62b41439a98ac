/** A mail as its reader gets it. */
export interface ReceivedMail {
  /** By name in lower case, folded lines joined; of several with a name, all. */
  headers: Record<string, string[]>;
  text: string;
  raw: string;
}

/** Takes a mail of one plain-text part apart. */
export function parseMail(raw: string): ReceivedMail {
  const lines = raw.replaceAll('\r\n', '\n');
  const end = lines.indexOf('\n\n');
  const headers: Record<string, string[]> = {};
  for (const line of lines
    .slice(0, end)
    .replaceAll(/\n[ \t]+/g, ' ')
    .split('\n')) {
    const colon = line.indexOf(':');
    (headers[line.slice(0, colon).toLowerCase()] ??= []).push(line.slice(colon + 1).trim());
  }
  return { headers, text: decoded(lines.slice(end + 2), headers['content-transfer-encoding']?.[0] ?? '7bit'), raw };
}

function decoded(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  if (encoding !== 'quoted-printable') return body;
  const bytes = body
    .replaceAll('=\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
