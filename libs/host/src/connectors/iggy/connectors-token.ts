import type { Account } from '../../brokers/iggy/gate/frame-filter.js';
import { IggyAdmin, IggyRefusal } from '../../brokers/iggy/server/iggy-admin.js';
import type { RunningServer } from '../../brokers/iggy/server/iggy-server.js';
import { ensureUser } from '../../brokers/iggy/gate/iggy-users.js';
import { readFileIfAny, writePrivateFile } from '../../os/private-file.js';

/** The name of the token at the server. */
const NAME = 'connectors';
const NEVER = 0;

/**
 * A token of the connectors' own user that is good at this server. Keeps the token of the file (0600) while the server accepts it,
 * and otherwise replaces it: the file is lost, or the data of the server come from a copy. Rejects with BrokerError.
 */
export async function ensureToken({ admin }: RunningServer, account: Account, file: string): Promise<string> {
  const id = await ensureUser(admin, account);
  const own = new IggyAdmin(admin.at, account);
  const storedToken = (await readFileIfAny(file))?.trim() ?? '';
  if (storedToken !== '' && (await userOf(own, storedToken)) === id) return storedToken;
  await own.ask('DELETE', `/personal-access-tokens/${NAME}`).catch(ignoreRefusal);
  const created = await own.ask<{ token: string }>('POST', '/personal-access-tokens', { name: NAME, expiry: NEVER });
  await writePrivateFile(file, created.token);
  return created.token;
}

/** The user that the server signs in for a token. Null when it refuses the token. */
async function userOf(own: IggyAdmin, token: string): Promise<number | null> {
  const answer = own.ask<Record<'user_id', number>>('POST', '/personal-access-tokens/login', { token });
  return answer.then(({ user_id: id }) => id, ignoreRefusal);
}

function ignoreRefusal(error: unknown): null {
  if (error instanceof IggyRefusal) return null;
  throw error;
}
