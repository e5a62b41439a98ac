/** The limit that cut or refused a connection. */
export type CutReason = 'network' | 'unknown' | 'places' | 'caller' | 'sign_in_time';

/** Tells that a limit was applied. `party`: the network or the caller of the connection. */
export type OnCut = (reason: CutReason, party: string) => void;

/** The client of a new connection. `isProxy`: the address is that of a proxy, which has not named its client yet. */
export interface Newcomer {
  address: string;
  isProxy: boolean;
  /** Begins to serve the connection. */
  serve: () => void;
}

/** Names the party of the connections of a proxy, whose clients have shares of their own. */
export const PROXY = 'proxy ';
export const proxyName = (address: string): string => `${PROXY}${address}`;
