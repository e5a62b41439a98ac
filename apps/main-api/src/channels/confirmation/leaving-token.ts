import type { Secrets } from '@libs/persistence';

const PURPOSE = 'leave_channel';
const textOf = (channelId: number, addressHash: Buffer): string => `${channelId}.${addressHash.toString('hex')}`;

/** What every mail to an address carries: its reader ends the consent with it. It is good for this channel and address only. */
export const leavingToken = (secrets: Secrets, channelId: number, addressHash: Buffer): string =>
  `${channelId}.${secrets.prove(PURPOSE, textOf(channelId, addressHash))}`;

/** The channel that a token names, whether the token is genuine or not; 0 for none. */
export const channelOfLeaving = (token: string): number => Number(/^\s*(\d{1,15})\./.exec(token)?.[1] ?? 0);

/** Whether the token was made here, for this address. */
export function isLeavingToken(secrets: Secrets, token: string, addressHash: Buffer): boolean {
  const proof = token.trim().replace(/^\d+\./, '');
  return secrets.isProof(PURPOSE, textOf(channelOfLeaving(token), addressHash), proof);
}
