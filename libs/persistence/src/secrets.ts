import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import type { SecretLocation } from './sealed-columns.js';

/** A secret does not open: the key is unknown, the text is damaged, or the text is from another place. */
export class SecretUnreadable extends Error {}

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts values that must be readable again. In `LANDLORD_SECRET_KEYS=id:base64,…` the first key encrypts and all keys
 * decrypt. To replace a key, put a new key in front. Format of a ciphertext: `<key id>.<base64 of nonce, tag, body>`.
 */
export class Secrets {
  private readonly keys: Map<string, Buffer>;
  private readonly writer: string;

  /** @throws SecretUnreadable when the text contains no usable key. */
  constructor(text: string) {
    this.keys = new Map(text.split(',').map(parseKey));
    const [first] = this.keys.keys();
    if (!first) throw new SecretUnreadable('no secret key is configured');
    this.writer = first;
  }

  seal(location: SecretLocation, plain: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.keys.get(this.writer) as Buffer, nonce).setAAD(aad(location));
    const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return `${this.writer}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64')}`;
  }

  /** The id of the key that encrypts. Its ciphertexts start with `<id>.`. */
  get writerId(): string {
    return this.writer;
  }

  /** The ids of all keys. The key that encrypts is first. */
  get keyIds(): string[] {
    return [...this.keys.keys()];
  }

  /**
   * Returns a proof that this installation wrote the text, for one purpose only. Format: `<key id>.<base64url of
   * HMAC-SHA-256>`. The HMAC key is derived for the purpose, so ciphertexts and proofs for other purposes reveal nothing about
   * it.
   */
  prove(purpose: string, text: string): string {
    return `${this.writer}.${this.macOf(this.keys.get(this.writer) as Buffer, purpose, text).toString('base64url')}`;
  }

  /** Whether `proof` is a valid proof of the text with any configured key. Compares in constant time. */
  isProof(purpose: string, text: string, proof: string): boolean {
    const dot = proof.indexOf('.');
    const key = this.keys.get(proof.slice(0, dot));
    if (!key) return false;
    const expectedMac = this.macOf(key, purpose, text);
    const mac = Buffer.from(proof.slice(dot + 1), 'base64url');
    return mac.length === expectedMac.length && timingSafeEqual(mac, expectedMac);
  }

  private macOf(key: Buffer, purpose: string, text: string): Buffer {
    const derived = Buffer.from(hkdfSync('sha256', key, '', `landlord.${purpose}`, 32));
    return createHmac('sha256', derived).update(text).digest();
  }

  /** @throws SecretUnreadable */
  open(location: SecretLocation, sealed: string): string {
    const dot = sealed.indexOf('.');
    const key = this.keys.get(sealed.slice(0, dot));
    if (!key) throw new SecretUnreadable(`no key for ${location.table}.${location.column} of ${location.row}`);
    const bytes = Buffer.from(sealed.slice(dot + 1), 'base64');
    try {
      // Without an explicit length Node.js accepts a shortened tag, and a short tag is easier to guess.
      const options = { authTagLength: TAG_BYTES };
      const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), options).setAAD(aad(location));
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    } catch (cause) {
      throw new SecretUnreadable(`${location.table}.${location.column} of ${location.row} does not open`, { cause });
    }
  }
}

const aad = (location: SecretLocation): Buffer => Buffer.from(`${location.table}\0${location.column}\0${location.row}`);

function parseKey(entry: string): [string, Buffer] {
  const match = /^\s*([A-Za-z0-9_-]+):([A-Za-z0-9+/=]+)\s*$/.exec(entry);
  const key = Buffer.from(match?.[2] ?? '', 'base64');
  if (!match?.[1] || key.length !== 32)
    throw new SecretUnreadable('LANDLORD_SECRET_KEYS reads id:base64 of 32 bytes, …');
  return [match[1], key];
}
