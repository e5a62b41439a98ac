import { useEffect, useState } from 'react';
import { firstLinkToken, takeLinkToken } from '../../api/link-token.js';

export const NO_TOKEN = 'The address has no token. Open the whole link again.';

/** The token of the link that opened this page. */
export function useToken(): string {
  const [token, setToken] = useState(firstLinkToken.path === location.pathname ? firstLinkToken.token : '');
  useEffect(() => {
    // A person can type the link into the address bar of the open page.
    const onLink = (): void => setToken(takeLinkToken().token);
    addEventListener('hashchange', onLink);
    return () => removeEventListener('hashchange', onLink);
  }, []);
  return token;
}
