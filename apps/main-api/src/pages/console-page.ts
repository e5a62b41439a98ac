import type { PageQueryDto } from './page-query.dto.js';

const token = (path: string) => (query: PageQueryDto) => `${path}#${encodeURIComponent(query.token)}`;
const search = (path: string, names: readonly (keyof PageQueryDto)[]) => (query: PageQueryDto) =>
  `${path}?${new URLSearchParams(Object.fromEntries(names.map((name) => [name, query[name]]))).toString()}`;

/** The page of the console for each page in links of older mails and command lines. */
const PAGES = {
  home: () => '',
  verify: token('verify'),
  reset: token('reset'),
  channel: token('confirm-address'),
  unsubscribe: token('unsubscribe'),
  forgot: () => 'forgot',
  sign_in: () => 'sign-in',
  sign_up: search('sign-up', ['email']),
  invitation: ({ id }: PageQueryDto) => `account/invitations/${id}`,
  ownership_transfer: ({ id }: PageQueryDto) => `account/ownership-transfers/${id}`,
  join_request: ({ tenant_id, id }: PageQueryDto) => `t/${tenant_id}/join-requests/${id}`,
  command_line: search('command-line', ['name', 'code_challenge', 'redirect_uri', 'state']),
} as const;

type PageName = keyof typeof PAGES;

export const PAGE_NAMES = Object.keys(PAGES) as PageName[];

/** Returns the address of the page of the console. A token goes into the fragment, which no log has. */
export const consolePage = (name: PageName, query: PageQueryDto): string => `/console/${PAGES[name](query)}`;
