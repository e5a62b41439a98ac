import type { Main } from '@landlord/sdk';
import type { OwnerSearch } from './owner.js';

/** A channel and its owner. */
export interface ChannelProps {
  tenantId: number;
  channel: Main.ChannelView;
  owner: OwnerSearch;
}
