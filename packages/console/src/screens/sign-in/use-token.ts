import { useState } from 'react';

export const NO_TOKEN = 'The address has no token. Open the whole link again.';

/** The token is in the fragment, which no server sees. It leaves the address bar before it is used. */
export function useToken(): string {
  const [token] = useState(takeToken);
  return token;
}

function takeToken(): string {
  const token = location.hash.slice(1);
  if (token !== '') history.replaceState(history.state, '', location.pathname);
  return token;
}
