import { createHash } from 'node:crypto';
import { statement, type Database } from '../database.js';

/** What decides whether notifications may be mailed to the address of a channel. */
export interface AddressedChannel {
  tenantId: number;
  channel: 'slack' | 'webhook' | 'email';
  destination: string;
  /** Hash of the address that its reader has confirmed; null for none. */
  confirmedAddress: Buffer | null;
}

// Asked whenever the channel is read or used, and never stored: a member who leaves gets no further mail.
const MEMBER = statement(
  'channel.member_address',
  `select 1 from members m join users u on u.id = m.user_id
    where m.tenant_id = $1 and m.active and u.email_verified_at is not null and lower(u.email) = lower($2)`,
);

/** Addresses are compared without regard to case. */
export const addressHash = (address: string): Buffer => createHash('sha256').update(address.toLowerCase()).digest();

/** By what somebody agreed: hooks of Slack and webhooks need nobody to agree. */
export type Consent = 'not_needed' | 'member' | 'reader';

/**
 * Why notifications may be sent: an active member of the tenant has this verified address, or the reader of the address agreed;
 * null when nobody did.
 */
export async function consentTo(database: Database, channel: AddressedChannel): Promise<Consent | null> {
  if (channel.channel !== 'email') return 'not_needed';
  const members = await database.query(MEMBER, [channel.tenantId, channel.destination]);
  if (members.length > 0) return 'member';
  return channel.confirmedAddress?.equals(addressHash(channel.destination)) ? 'reader' : null;
}
