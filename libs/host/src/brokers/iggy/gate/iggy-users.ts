import type { Account } from './frame-filter.js';
import type { IggyAdmin } from '../server/iggy-admin.js';
import { CLIENTS } from './iggy-accounts.js';

interface ListedUser {
  id: number;
  username: string;
  status: 'active' | 'inactive';
}

type Permissions = Record<string, boolean>;

/** What clients may do: everything with streams, topics and messages, and nothing with the server and its users. */
const OF_CLIENTS: Permissions = {
  manage_servers: false,
  read_servers: false,
  manage_users: false,
  read_users: false,
  manage_streams: true,
  read_streams: true,
  manage_topics: true,
  read_topics: true,
  poll_messages: true,
  send_messages: true,
};

const global = (permissions: Permissions) => ({ global: permissions, streams: null });

/** A user that is usable now. */
export interface UsableAccount extends Account {
  id: number;
}

/**
 * Makes exactly one user of each account usable for clients, and returns them. The user of an ended password becomes inactive and
 * loses all permissions, and is never deleted: the server would give its id to the next user, and tokens of the old user would be
 * good for the new one. For the same reason the user of an ended password never becomes active again: a password that comes back
 * gets another user, with a number behind its name.
 */
export async function ensureClients(admin: IggyAdmin, accounts: Account[]): Promise<UsableAccount[]> {
  const users = await admin.ask<ListedUser[]>('GET', '/users');
  for (const user of endedUsers(users, accounts)) await retire(admin, user);
  const usable: UsableAccount[] = [];
  for (const account of accounts) usable.push(await usableOf(admin, account, users));
  return usable;
}

/**
 * The users of these accounts on a server of a cluster that does not lead. Null while the leader has not made exactly these accounts
 * usable.
 */
export async function findClients(admin: IggyAdmin, accounts: Account[]): Promise<UsableAccount[] | null> {
  const users = await admin.ask<ListedUser[]>('GET', '/users');
  const clients = accounts.flatMap((account) => {
    const user = activeOf(users, account);
    return user ? [{ ...account, username: user.username, id: user.id }] : [];
  });
  const isDone = clients.length === accounts.length && endedUsers(users, accounts).length === 0;
  return isDone ? clients : null;
}

const isActive = ({ status }: ListedUser): boolean => status === 'active';

/** The users that an account has had, one after the other. */
const usersOf = (users: ListedUser[], { username }: Account): ListedUser[] =>
  users.filter((user) => user.username === username || user.username.startsWith(`${username}-`));

const activeOf = (users: ListedUser[], account: Account): ListedUser | undefined =>
  usersOf(users, account).find(isActive);

/** Users of ended passwords that are still usable. */
function endedUsers(users: ListedUser[], accounts: Account[]): ListedUser[] {
  const activeIds = new Set(accounts.map((account) => activeOf(users, account)?.id));
  return users.filter((user) => user.username.startsWith(CLIENTS) && !activeIds.has(user.id) && isActive(user));
}

async function usableOf(admin: IggyAdmin, account: Account, users: ListedUser[]): Promise<UsableAccount> {
  const active = activeOf(users, account);
  const ended = usersOf(users, account).length;
  const username = active?.username ?? (ended === 0 ? account.username : `${account.username}-${ended + 1}`);
  return { ...account, username, id: active?.id ?? (await create(admin, { ...account, username })) };
}

/** Makes an account usable that has the rights of a client. Returns its id at the server. */
export async function ensureUser(admin: IggyAdmin, account: Account): Promise<number> {
  const users = await admin.ask<ListedUser[]>('GET', '/users');
  const user = users.find(({ username }) => username === account.username);
  return user?.id ?? create(admin, account);
}

async function create(admin: IggyAdmin, account: Account): Promise<number> {
  const user = { ...account, status: 'active', permissions: global(OF_CLIENTS) };
  return (await admin.ask<ListedUser>('POST', '/users', user)).id;
}

/** Without permissions first: open connections of an inactive user go on. */
async function retire(admin: IggyAdmin, { id }: ListedUser): Promise<void> {
  const none = Object.fromEntries(Object.keys(OF_CLIENTS).map((name) => [name, false]));
  await admin.ask('PUT', `/users/${id}/permissions`, { permissions: global(none) });
  await admin.ask('PUT', `/users/${id}`, { status: 'inactive' });
}
