import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError, EXIT, usage } from '../exit.js';
import { ENVIRONMENT } from './config.js';

/** An installation with a key, and the levels that commands use when they name none. */
export interface Context {
  url: string;
  /** Null: the key is in the keyring of the operating system. */
  api_key: string | null;
  tenant_id?: number;
  /** The id of a key that the login created by browser: a logout deletes the key. */
  api_key_id?: number;
  /** A file with certificates to trust, in addition to those of the system. */
  ca_file?: string;
  division?: string;
  environment?: string;
  deployment?: string;
}

interface Contexts {
  current: string | null;
  contexts: Record<string, Context>;
}

export const FILE = join(ENVIRONMENT.folder, 'contexts.json');
const LOCAL_URL = 'http://localhost:3000';

/** @throws CommandError when the file cannot be read */
export function readContexts(): Contexts {
  try {
    return JSON.parse(readFileSync(FILE, 'utf8')) as Contexts;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { current: null, contexts: {} };
    throw new CommandError(`${FILE} cannot be read: ${(error as Error).message}`, EXIT.other);
  }
}

/** Only the owner can read the file, because it has keys. A crash leaves the old file or the new file. */
export function writeContexts(contexts: Contexts): void {
  mkdirSync(ENVIRONMENT.folder, { recursive: true, mode: 0o700 });
  const draft = `${FILE}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(contexts, null, 2)}\n`, { mode: 0o600 });
  chmodSync(draft, 0o600);
  renameSync(draft, FILE);
}

/** The context of a command, where it comes from, and its key. */
export interface Source {
  context: Context;
  from: string;
  /** @throws CommandError when the keyring does not have the key */
  key: () => Promise<string>;
}

/**
 * The context of this command: the one that the option or `LANDLORD_CONTEXT` names, the environment, the current one, or the installation in the data
 * directory of this folder. Variables of the environment replace single values.
 * @throws CommandError when there is none
 */
export function contextOf(name: string | undefined): Source {
  const stored = storedContext(name);
  if (stored) return stored;
  const local = localInstallation();
  const key = ENVIRONMENT.apiKey ?? local?.api_key;
  if (key === undefined) throw new CommandError('There is no key.', EXIT.unauthenticated, 'landlord login');
  return {
    context: { url: LOCAL_URL, ...local, ...replaced(), api_key: key },
    from: local === null ? 'the environment' : `the installation in ${ENVIRONMENT.dataDirectory}`,
    key: async () => key,
  };
}

/** The context with the name, or the current one, unless the environment has a key. */
function storedContext(name: string | undefined): Source | null {
  const { current, contexts } = readContexts();
  const named = name ?? ENVIRONMENT.context;
  const chosen = named ?? (ENVIRONMENT.apiKey === undefined ? current : null);
  const stored = chosen !== null && Object.hasOwn(contexts, chosen) ? contexts[chosen] : undefined;
  if (named !== undefined && !stored) throw usage(`There is no context ${named}.`, 'landlord context list');
  if (chosen === null || !stored) return null;
  const context = { ...stored, ...replaced() };
  const key = async () => context.api_key ?? (await import('./keyring.js')).readKey(chosen);
  return { context, from: `context ${chosen} in ${FILE}`, key };
}

function replaced(): Partial<Context> {
  const { url, apiKey, tenantId, caFile } = ENVIRONMENT;
  return {
    ...(url !== undefined && { url }),
    ...(apiKey !== undefined && { api_key: apiKey }),
    ...(tenantId !== undefined && { tenant_id: tenantIdIn('LANDLORD_TENANT_ID', tenantId) }),
    ...(caFile !== undefined && { ca_file: caFile }),
  };
}

/** @throws CommandError for a text that is no id, such as a number that JavaScript would round */
export function tenantIdIn(place: string, text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw usage(`${place} must be an id, and is "${text}".`, 'landlord tenants list');
}

/** The first key of an installation that was started in this folder. A key of the environment is for another installation. */
function localInstallation(): { url: string; api_key: string; tenant_id: number } | null {
  if (ENVIRONMENT.apiKey !== undefined || ENVIRONMENT.url !== undefined) return null;
  try {
    const { main_api_url, api_key, tenant_id } = JSON.parse(
      readFileSync(join(ENVIRONMENT.dataDirectory, 'bootstrap.json'), 'utf8'),
    ) as { main_api_url: string; api_key: string; tenant_id: number };
    return { url: main_api_url, api_key, tenant_id };
  } catch {
    return null;
  }
}
