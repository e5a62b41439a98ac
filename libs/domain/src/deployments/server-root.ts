import { createHmac } from 'node:crypto';

/**
 * Password of the root user of an iggy-server. It is derived from the secret of the deployment, so it needs no storage, and a copy of
 * the data stays usable as long as the secret of its deployment is known.
 */
export const serverRootPassword = (secret: string): string =>
  createHmac('sha256', secret).update('iggy root').digest('hex');
