import type { Main } from '@landlord/sdk';
import type { InputOf } from '../../api/read.js';
import { FILTERS } from '../../generated/values.js';
import { readFilter, TEXT } from '../../ui/list/filters.js';
import { readPage } from '../../ui/list/pages.js';

export const STATES = [
  { value: 'active', label: 'active' },
  { value: 'inactive', label: 'inactive' },
];

/** What an organization waits for is shown first. */
export const FIRST_INVITATIONS = 'pending';
const ALL = 'all';
export const INVITATIONS = [...FILTERS['invitations.list'].status, ALL];

export const searchOfMembers = (search: Record<string, unknown>) => ({
  ...readPage(search),
  ...readFilter(search, { state: STATES.map(({ value }) => value), email: TEXT, invitations: INVITATIONS }),
});

/** The invitations of the filter. */
export const statusOf = (invitations: string = FIRST_INVITATIONS): Pick<InputOf<'invitations.list'>, 'status'> =>
  invitations === ALL ? {} : { status: invitations as Main.InvitationView['status'] };

/** The members of the filter: without a state also those who may not come in. */
export const membersOf = ({ state, email }: { state?: string; email?: string }): MemberFilter => ({
  ...(state !== undefined && { active: state === 'active' }),
  ...(email !== undefined && { email }),
});

type MemberFilter = Pick<InputOf<'members.list'>, 'active' | 'email'>;
