import { Command } from 'commander';
import { usage } from '../exit.js';
import { tell } from '../output/output.js';
import { readContexts, writeContexts } from '../settings/contexts.js';
import { dropKey } from '../settings/keyring.js';

export const logoutCommand = (): Command =>
  new Command('logout')
    .description(
      'Forgets the current context with its key. The key itself stays valid: delete it with "landlord keys delete".',
    )
    .option('--context <name>', 'forget this context instead')
    .action(({ context }: { context?: string }) => logout(context));

async function logout(context: string | undefined): Promise<void> {
  const { current, contexts } = readContexts();
  const name = context ?? current;
  if (name === null || contexts[name] === undefined)
    throw usage('There is no context to forget.', 'landlord context list');
  if (contexts[name].api_key === null) await dropKey(name);
  const others = Object.fromEntries(Object.entries(contexts).filter(([one]) => one !== name));
  writeContexts({ current: name === current ? null : current, contexts: others });
  tell(`The context ${name} is forgotten.`);
}
