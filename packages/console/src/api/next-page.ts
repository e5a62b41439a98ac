import { queryClient } from './query-client.js';
import { receivedInvitationsQuery } from './queries/account.js';

/** The page to which a person was on the way before signing up. The link of the mail opens another tab, so every tab has it. */
const KEY = 'landlord.next';

/** A path of the console, and no other address. */
export const isPath = (next: unknown): next is string => typeof next === 'string' && /^\/(?!\/)/.test(next);

/** Keeps the page for the person who has just signed up with the address. */
export function keepNextPage(email: string, next: string | undefined): void {
  if (next === undefined) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, JSON.stringify({ email, next }));
}

/** The page for the person who has just verified the address: the kept one, otherwise an invitation that waits. Null: there is none. */
export async function takeNextPage(email: string): Promise<string | null> {
  const page = readPage(localStorage.getItem(KEY));
  if (page?.email === email) {
    localStorage.removeItem(KEY);
    return page.next;
  }
  // The mail can be read on another device, which has nothing.
  const { items } = await queryClient.fetchQuery(receivedInvitationsQuery);
  const [invitation] = items;
  return invitation ? `/account/invitations/${invitation.id}` : null;
}

/** Another program can write into the storage of the browser. */
function readPage(text: string | null): { email: unknown; next: string } | null {
  try {
    const { email, next } = JSON.parse(text ?? '{}') as Readonly<Record<string, unknown>>;
    return isPath(next) ? { email, next } : null;
  } catch {
    return null;
  }
}
