import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { BrokerError } from '../../control/broker-error.js';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const FORMAT = 1;
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + SALT_BYTES + NONCE_BYTES + TAG_BYTES;
/** Values under one derived key. Far below the number where random nonces of 96 bits may repeat. */
const VALUES_PER_SALT = 2 ** 30;

/**
 * AES-256-GCM for the values of a store. Derives a key for each start of the process, and a new one after 2^30 values, because
 * one key with random nonces is safe only for a limited number of values. Each value contains: format, salt, nonce, tag,
 * ciphertext. The key id is the associated data.
 */
export class ValueCipher {
  /** Identifies the key without revealing it. */
  readonly keyId: string;
  private readonly key: Buffer;
  private readonly derived = new Map<string, Buffer>();
  private salt = randomBytes(SALT_BYTES);
  private sealedValues = 0;

  /** Throws BrokerError for a key that does not have 32 bytes. */
  constructor(base64: string) {
    this.key = Buffer.from(base64, 'base64');
    if (this.key.length !== KEY_BYTES) throw new BrokerError('the key of the deployment does not have 32 bytes');
    this.keyId = createHash('sha256').update('landlord data key').update(this.key).digest('hex').slice(0, 16);
  }

  seal(value: Uint8Array): Buffer {
    if (this.sealedValues >= VALUES_PER_SALT) {
      this.salt = randomBytes(SALT_BYTES);
      this.sealedValues = 0;
    }
    this.sealedValues += 1;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.keyOf(this.salt), nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(this.keyId));
    const ciphertext = Buffer.concat([cipher.update(value), cipher.final()]);
    return Buffer.concat([Buffer.from([FORMAT]), this.salt, nonce, cipher.getAuthTag(), ciphertext]);
  }

  /** Throws BrokerError for another key and for changed bytes. */
  open(sealed: Uint8Array): Buffer {
    const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
    if (bytes.length < HEAD_BYTES || bytes[0] !== FORMAT) throw new BrokerError('a stored value is not encrypted');
    const nonceAt = 1 + SALT_BYTES;
    const tagAt = nonceAt + NONCE_BYTES;
    const key = this.keyOf(bytes.subarray(1, nonceAt));
    const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(nonceAt, tagAt), { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(this.keyId));
    decipher.setAuthTag(bytes.subarray(tagAt, HEAD_BYTES));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(HEAD_BYTES)), decipher.final()]);
    } catch {
      throw new BrokerError('a stored value does not open with the key of the deployment');
    }
  }

  private keyOf(salt: Buffer): Buffer {
    const name = salt.toString('hex');
    const cached = this.derived.get(name);
    if (cached) return cached;
    const derivedKey = Buffer.from(hkdfSync('sha256', this.key, salt, 'landlord values', KEY_BYTES));
    this.derived.set(name, derivedKey);
    return derivedKey;
  }
}
