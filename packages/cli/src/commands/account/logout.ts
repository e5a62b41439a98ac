import { Command } from 'commander';
import { usage } from '../../exit.js';
import { tell } from '../../output/output.js';
import { readContexts, writeContexts } from '../../settings/contexts.js';
import { dropKey } from '../../settings/keyring.js';
import { deleteOwnKey } from '../../settings/own-key.js';

interface LogoutOptions {
  context?: string;
  keepKey?: boolean;
}

export const logoutCommand = (): Command =>
  new Command('logout')
    .description(
      'Forgets the current context with its key. A key of "login --browser" is deleted. Any other key stays valid: delete it with "landlord keys delete".',
    )
    .option('--context <name>', 'forget this context instead')
    .option('--keep-key', 'delete no key')
    .action(logout);

async function logout({ context, keepKey = false }: LogoutOptions): Promise<void> {
  const { current, contexts } = readContexts();
  const name = context ?? current;
  const forgotten = name === null ? undefined : contexts[name];
  if (name === null || forgotten === undefined) throw usage('There is no context to forget.', 'landlord context list');
  if (!keepKey) await deleteOwnKey(name, forgotten);
  if (forgotten.api_key === null) await dropKey(name);
  const others = Object.fromEntries(Object.entries(contexts).filter(([one]) => one !== name));
  writeContexts({ current: name === current ? null : current, contexts: others });
  tell(`The context ${name} is forgotten.`);
}
