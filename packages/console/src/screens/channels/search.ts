import { readPage, type PageSearch } from '../../ui/pages.js';
import { readOwner, type OwnerSearch } from './owner.js';

export const DELIVERY_STATES = ['pending', 'delivered', 'failed', 'suppressed'] as const;

export const searchOfChannels = (search: Record<string, unknown>): PageSearch & OwnerSearch => ({
  ...readPage(search),
  ...readOwner(search),
});

export function searchOfChannel(
  search: Record<string, unknown>,
): PageSearch & OwnerSearch & { status?: (typeof DELIVERY_STATES)[number] } {
  const status = DELIVERY_STATES.find((one) => one === search['status']);
  return { ...searchOfChannels(search), ...(status && { status }) };
}
