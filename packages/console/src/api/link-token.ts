/** The token of a mailed or printed link, and the page that it is for. */
interface LinkToken {
  path: string;
  token: string;
}

/** The token is in the fragment, which no server sees. It leaves the address bar before it is used. */
export function takeLinkToken(): LinkToken {
  const path = location.pathname;
  const token = location.hash.slice(1);
  if (token !== '') history.replaceState(history.state, '', path + location.search);
  return { path, token };
}

/** Taken before the router reads the address. */
export const firstLinkToken = takeLinkToken();
