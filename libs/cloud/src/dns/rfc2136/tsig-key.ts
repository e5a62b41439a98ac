/** A key that the DNS server shares with Landlord. The algorithm is HMAC-SHA256. */
export interface TsigKey {
  name: string;
  secret: Buffer;
}

const STATEMENT = /^key\s+"?([\w.-]+)"?\s*\{([^{}]*)\}\s*;?$/;
/** A secret in base64 can contain `//`, so only whole lines are comments. */
const COMMENTS = /^\s*(#|\/\/).*$/gm;
/** A shorter secret is weaker than its algorithm. */
const SECRET_BYTES = 16;

/**
 * Reads a key statement, as `tsig-keygen` writes it and `nsupdate -k` reads it: `key "name" { algorithm hmac-sha256; secret
 * "base64"; };`. Null for any other text. The result is a secret.
 */
export function readTsigKey(text: string): TsigKey | null {
  const [, name, body = ''] = STATEMENT.exec(text.replace(COMMENTS, '').trim()) ?? [];
  const algorithm = /(?:^|;)\s*algorithm\s+"?hmac-sha256\.?"?\s*;/i.test(body);
  const [, base64 = ''] = /(?:^|;)\s*secret\s+"?([A-Za-z0-9+/]+={0,2})"?\s*;/.exec(body) ?? [];
  const secret = Buffer.from(base64, 'base64');
  return name === undefined || !algorithm || secret.length < SECRET_BYTES ? null : { name, secret };
}
