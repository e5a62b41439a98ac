import { Command } from 'commander';
import { createClient } from '@landlord/sdk';
import { usage } from '../exit.js';
import { tell } from '../output/output.js';
import { keepKey } from '../settings/keyring.js';
import { FILE, readContexts, writeContexts, type Context } from '../settings/contexts.js';
import { nodeFetch } from '../settings/node-fetch.js';
import { readInput } from '../settings/read-input.js';

interface LoginOptions {
  url: string;
  name: string;
  keyFile?: string;
  caFile?: string;
}

export const loginCommand = (): Command =>
  new Command('login')
    .description('Asks for an API key, checks the key, and stores the key in a context.')
    .option('--url <url>', 'the address of the main API', 'http://localhost:3000')
    .option('--name <name>', 'the name of the context', 'default')
    .option('--key-file <file>', 'read the key from this file instead ("-": stdin)')
    .option('--ca-file <file>', 'trust the certificates in this file, too')
    .action(login);

async function login({ url, name, keyFile, caFile }: LoginOptions): Promise<void> {
  const api_key = await keyFrom(keyFile);
  const client = createClient({ url, apiKey: api_key, fetch: nodeFetch(caFile) });
  const { items } = await client.tenants.list();
  const [tenant] = items;
  if (tenant === undefined) throw usage('The key belongs to no tenant.');
  const contexts = readContexts();
  const reason = await keepKey(name, api_key);
  const context: Context = {
    ...{ url, api_key: reason === null ? null : api_key, tenant_id: tenant.id },
    ...(caFile !== undefined && { ca_file: caFile }),
  };
  writeContexts({ current: name, contexts: { ...contexts.contexts, [name]: context } });
  tell(`You use the tenant ${tenant.name} (${tenant.id}) at ${url}, as context ${name}.`);
  tell(
    reason === null ? 'The key is in the keyring of the system.' : `The key is in ${FILE}, because ${because(reason)}.`,
  );
}

async function keyFrom(file: string | undefined): Promise<string> {
  if (file !== undefined) return keyIn(readInput(file));
  if (!process.stdin.isTTY)
    throw usage('Nobody is asked for a key without a terminal.', 'landlord login --key-file <file>');
  const { ask } = await import('../output/ask.js');
  return keyIn(await ask('API key: ', { isSecret: true }));
}

/** Why the keyring of the system does not have the key. */
const because = (reason: string): string => `the keyring of the system cannot be used (${reason.replace(/\.$/, '')})`;

function keyIn(text: string): string {
  const key = text.trim();
  if (key === '' || /\s/.test(key)) throw usage('The key is empty, or has spaces.');
  return key;
}
