import { createHash } from 'node:crypto';
import { canonicalMailbox, type TenantId } from '@libs/domain';
import { statement, type Database } from '../database.js';

/** The facts that decide whether notifications may be mailed to the address of a channel. */
export interface AddressedChannel {
  tenantId: TenantId;
  channel: 'slack' | 'webhook' | 'email';
  destination: string;
  /** Hash of the address that its reader has confirmed. Null for none. */
  confirmedAddress: Buffer | null;
}

// Runs on each read or use of the channel, and the result is never stored. So a member who leaves gets no more mails.
const MEMBER = statement(
  'channel.member_address',
  `select 1 from members m join users u on u.id = m.user_id
    where m.tenant_id = $1 and m.active and u.email_verified_at is not null and u.email_canonical = $2`,
);

/** Ignores the case of addresses. A reader who confirmed one spelling of the domain is asked again for another one. */
export const addressHash = (address: string): Buffer => createHash('sha256').update(address.toLowerCase()).digest();

/** The basis for sending. Slack hooks and webhooks need no consent. */
export type Consent = 'not_needed' | 'member' | 'reader';

/**
 * The basis for sending notifications: an active member of the tenant has this verified address, or the reader of the address
 * agreed. Null without consent.
 */
export async function consentTo(database: Database, channel: AddressedChannel): Promise<Consent | null> {
  if (channel.channel !== 'email') return 'not_needed';
  const members = await database.query(MEMBER, [channel.tenantId, canonicalMailbox(channel.destination)]);
  if (members.length > 0) return 'member';
  return channel.confirmedAddress?.equals(addressHash(channel.destination)) ? 'reader' : null;
}
