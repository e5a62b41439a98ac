/** The user id in an access token of the server. Null for any other text. Does not check the signature: the server does. */
export function userOfToken(token: string): number | null {
  try {
    const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
    const { sub } = JSON.parse(payload) as { sub?: unknown };
    return typeof sub === 'string' && /^\d{1,10}$/.test(sub) ? Number(sub) : null;
  } catch {
    return null;
  }
}
