import type { ChannelId } from '@libs/domain';
import type { Secrets } from '@libs/persistence';

const PURPOSE = 'leave_channel';
const textOf = (channelId: ChannelId, addressHash: Buffer): string => `${channelId}.${addressHash.toString('hex')}`;

/**
 * Returns the token in every mail to an address. The reader ends the consent with it. Valid for this channel and
 * address only.
 */
export const leavingToken = (secrets: Secrets, channelId: ChannelId, addressHash: Buffer): string =>
  `${channelId}.${secrets.prove(PURPOSE, textOf(channelId, addressHash))}`;

/** Returns the channel id in a token, without verification; 0 for none. */
export const channelOfLeaving = (token: string): number => Number(/^\s*(\d{1,15})\./.exec(token)?.[1] ?? 0);

/** Whether the installation created the token for this address. */
export function isLeavingToken(secrets: Secrets, token: string, addressHash: Buffer): boolean {
  const proof = token.trim().replace(/^\d+\./, '');
  return secrets.isProof(PURPOSE, textOf(channelOfLeaving(token), addressHash), proof);
}
