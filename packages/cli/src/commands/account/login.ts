import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import { createClient, withoutLogins, type ClientOptions } from '@landlord/sdk';
import type { HandedKey } from '../../browser/browser-login.js';
import { usage } from '../../exit.js';
import { addressFor, nameFor } from './login-place.js';
import { tell } from '../../output/output.js';
import { keepKey, readKey } from '../../settings/keyring.js';
import { FILE, readContexts, writeContexts, type Context } from '../../settings/contexts.js';
import { nodeFetch } from '../../settings/node-fetch.js';
import { deleteOwnKey } from '../../settings/own-key.js';
import { readInput } from '../../settings/read-input.js';

interface LoginOptions {
  url?: string;
  name?: string;
  replace?: boolean;
  browser?: boolean;
  keyFile?: string;
  caFile?: string;
}

export const loginCommand = (): Command =>
  new Command('login')
    .description(
      'Stores an API key in a context, after a check: a key that you type, or a new key for 90 days that you create in the browser.',
    )
    .option('--url <url>', 'the address of the main API; default: LANDLORD_URL, or a question')
    .option(
      '--name <name>',
      'the name of the context; default: "default", or the host if "default" is of another installation',
    )
    .option('--replace', 'replace a context of another installation without a question')
    .addOption(new Option('--browser', 'create a key in the browser; a logout deletes this key').conflicts('keyFile'))
    .option('--key-file <file>', 'read the key from this file instead ("-": stdin)')
    .option('--ca-file <file>', 'trust the certificates in this file, too')
    .action(login);

async function login(options: LoginOptions): Promise<void> {
  const { browser = false, keyFile } = options;
  // A context is used from any folder.
  const caFile = options.caFile === undefined ? undefined : resolve(options.caFile);
  requireInput(options);
  const url = await addressFor(options);
  const name = await nameFor(url, options);
  const fetch = nodeFetch(caFile);
  const { api_key, ...handed } = browser ? await byBrowser({ url, fetch }) : { api_key: await keyFrom(url, keyFile) };
  const { items } = await createClient({ url, apiKey: api_key, fetch }).tenants.list();
  const [tenant] = items;
  if (tenant === undefined) throw usage('The key belongs to no tenant.');
  const { contexts } = readContexts();
  const previous = Object.hasOwn(contexts, name) ? await withItsKey(name, contexts[name]) : undefined;
  const isSame = previous?.api_key === api_key;
  const context: Context = {
    ...{ url, api_key, tenant_id: tenant.id, ...(isSame && ownKeyOf(previous)), ...handed },
    ...(caFile !== undefined && { ca_file: caFile }),
  };
  const reason = await store(name, context, contexts);
  if (previous !== undefined && !isSame) await deleteKeyOf(name, previous);
  tell(`You use the tenant ${tenant.name} (${tenant.id}) at ${withoutLogins(url)}, as context ${name}.`);
  tell(
    reason === null ? 'The key is in the keyring of the system.' : `The key is in ${FILE}, because ${because(reason)}.`,
  );
}

async function byBrowser(place: Required<Pick<ClientOptions, 'url' | 'fetch'>>): Promise<HandedKey> {
  const { loginByBrowser } = await import('../../browser/browser-login.js');
  return loginByBrowser(place);
}

/** The keyring has one key for each name, so the key of the replaced context is read before the new key is stored. */
async function withItsKey(name: string, context: Context | undefined): Promise<Context | undefined> {
  if (context?.api_key !== null || context.api_key_id === undefined) return context;
  return { ...context, api_key: await readKey(name).catch(() => null) };
}

const ownKeyOf = ({ api_key_id }: Context): Pick<Context, 'api_key_id'> => ({
  ...(api_key_id !== undefined && { api_key_id }),
});

/** Stores the context. Returns why the keyring does not have the key. After a failure, the key of a login by browser is deleted. */
async function store(name: string, context: Context, contexts: Record<string, Context>): Promise<string | null> {
  try {
    const reason = await keepKey(name, context.api_key ?? '');
    const stored = reason === null ? { ...context, api_key: null } : context;
    writeContexts({ current: name, contexts: { ...contexts, [name]: stored } });
    return reason;
  } catch (error) {
    await deleteKeyOf(name, context);
    throw error;
  }
}

/** Deletes the key that a login by browser created. A failure is told only: the command continues. */
async function deleteKeyOf(name: string, context: Context): Promise<void> {
  try {
    await deleteOwnKey(name, context);
  } catch (error) {
    tell((error as Error).message);
  }
}

/** @throws CommandError when a question would be necessary, and there is no terminal */
function requireInput({ browser, keyFile }: LoginOptions): void {
  if (browser || keyFile !== undefined || process.stdin.isTTY) return;
  throw usage(
    'Cannot ask for a key without a terminal.',
    'landlord login --key-file - reads the key from stdin, --key-file <file> from a file, and --browser creates one',
  );
}

async function keyFrom(url: string, file: string | undefined): Promise<string> {
  if (file !== undefined) return keyIn(readInput(file));
  const { ask } = await import('../../output/ask.js');
  return keyIn(await ask(`API key for ${withoutLogins(url)}: `, { isSecret: true }));
}

/** Why the keyring of the system does not have the key. */
const because = (reason: string): string => `the keyring of the system cannot be used (${reason.replace(/\.$/, '')})`;

function keyIn(text: string): string {
  const key = text.trim();
  if (key === '' || /\s/.test(key)) throw usage('The key is empty, or has spaces.');
  return key;
}
