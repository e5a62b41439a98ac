import type { GoogleAuth } from 'google-auth-library';
import { CloudError } from '../../cloud-error.js';

const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';

/**
 * The operator's own access to Google. The library searches its usual places: the file that GOOGLE_APPLICATION_CREDENTIALS names, the
 * configuration of gcloud, and the metadata server of an instance. It is loaded at the first call, and renews its tokens by itself.
 */
export class OperatorTokens {
  private auth: Promise<GoogleAuth> | null = null;

  /** @throws CloudError `denied` when this host has no access to Google, `unavailable` when Google does not answer */
  async token(): Promise<string> {
    this.auth ??= import('google-auth-library').then(({ GoogleAuth }) => new GoogleAuth({ scopes: [SCOPE] }));
    const token = await (await this.auth).getAccessToken().catch(refuse);
    if (token) return token;
    throw new CloudError({ code: 'denied', actions: [] }, 'Google gave no token for the access of the operator');
  }
}

function refuse(error: unknown): never {
  const { message, status } = error as Error & { status?: number };
  const isFinal = status === undefined ? /Could not load the default credentials/.test(message) : status < 500;
  if (isFinal)
    throw new CloudError({ code: 'denied', actions: [] }, 'this host has no access to Google Cloud', { cause: error });
  throw new CloudError({ code: 'unavailable' }, 'Google did not answer with a token', { cause: error });
}
