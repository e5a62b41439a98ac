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

/**
 * Makes exactly these accounts usable for clients. Returns their ids at the server. The user of an ended password becomes inactive
 * and loses all permissions, and is never deleted: the server would give its id to the next user, and tokens of the old user would
 * be good for the new one.
 */
export async function ensureClients(admin: IggyAdmin, accounts: Account[]): Promise<number[]> {
  const users = await admin.ask<ListedUser[]>('GET', '/users');
  for (const user of endedUsers(users, accounts)) await retire(admin, user);
  const ids: number[] = [];
  for (const account of accounts) ids.push(await ensure(admin, account, users));
  return ids;
}

/**
 * The ids of these accounts on a server of a cluster that does not lead. Null while the leader has not made exactly these accounts
 * usable.
 */
export async function findClients(admin: IggyAdmin, accounts: Account[]): Promise<number[] | null> {
  const users = await admin.ask<ListedUser[]>('GET', '/users');
  const found = accounts.flatMap(({ username }) =>
    users.filter((user) => user.username === username && isActive(user)),
  );
  const isDone = found.length === accounts.length && endedUsers(users, accounts).length === 0;
  return isDone ? found.map(({ id }) => id) : null;
}

const isActive = ({ status }: ListedUser): boolean => status === 'active';

/** Users of ended passwords that are still usable. */
function endedUsers(users: ListedUser[], accounts: Account[]): ListedUser[] {
  const wanted = new Set(accounts.map(({ username }) => username));
  return users.filter((user) => user.username.startsWith(CLIENTS) && !wanted.has(user.username) && isActive(user));
}

/** Makes an account usable that has the rights of a client. Returns its id at the server. */
export async function ensureUser(admin: IggyAdmin, account: Account): Promise<number> {
  return ensure(admin, account, await admin.ask<ListedUser[]>('GET', '/users'));
}

async function ensure(admin: IggyAdmin, account: Account, users: ListedUser[]): Promise<number> {
  const found = users.find(({ username }) => username === account.username);
  if (found === undefined) {
    const user = { ...account, status: 'active', permissions: global(OF_CLIENTS) };
    return (await admin.ask<ListedUser>('POST', '/users', user)).id;
  }
  // The password was ended before, and is good again: a restored copy, or a rotation that was taken back.
  if (found.status === 'inactive') {
    await admin.ask('PUT', `/users/${found.id}/permissions`, { permissions: global(OF_CLIENTS) });
    await admin.ask('PUT', `/users/${found.id}`, { status: 'active' });
  }
  return found.id;
}

/** Without permissions first: open connections of an inactive user go on. */
async function retire(admin: IggyAdmin, { id }: ListedUser): Promise<void> {
  const none = Object.fromEntries(Object.keys(OF_CLIENTS).map((name) => [name, false]));
  await admin.ask('PUT', `/users/${id}/permissions`, { permissions: global(none) });
  await admin.ask('PUT', `/users/${id}`, { status: 'inactive' });
}
