import { randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const BYTES = 32;

/** Returns a new secret in the format of the Standard Webhooks scheme. */
export const mintSigningSecret = (): string => `${PREFIX}${randomBytes(BYTES).toString('base64')}`;

/** Returns the bytes of a secret from `mintSigningSecret`. */
export const keyOf = (secret: string): Buffer => Buffer.from(secret.slice(PREFIX.length), 'base64');
