import { randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const BYTES = 32;

/** A new secret in the spelling of the Standard Webhooks scheme. */
export const mintSigningSecret = (): string => `${PREFIX}${randomBytes(BYTES).toString('base64')}`;

/** The bytes of a secret that `mintSigningSecret` made. */
export const keyOf = (secret: string): Buffer => Buffer.from(secret.slice(PREFIX.length), 'base64');
