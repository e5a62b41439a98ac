import { CommandError, EXIT } from '../exit.js';
import { ENVIRONMENT } from './config.js';

/** The name of the program in the keyring. Each context is an account. */
const SERVICE = 'landlord';
/** A locked keyring asks the person for a password. */
const PATIENCE_MS = 60_000;

/** Stores the key of a context in the keyring of the operating system. Returns the reason when that is not possible. */
export async function keepKey(context: string, key: string): Promise<string | null> {
  if (!ENVIRONMENT.usesKeyring) return 'LANDLORD_KEYRING is off';
  try {
    await (await entryOf(context)).setPassword(key, patience());
    return null;
  } catch (error) {
    return reasonOf(error);
  }
}

/** @throws CommandError when the keyring has no key of the context, or does not open */
export async function readKey(context: string): Promise<string> {
  try {
    const key = await (await entryOf(context)).getPassword(patience());
    if (typeof key === 'string') return key;
  } catch (error) {
    throw missing(`The keyring of the system cannot be used: ${reasonOf(error)}.`);
  }
  throw missing(`The keyring of the system has no key of the context ${context}.`);
}

/** Does nothing when there is none. */
export async function dropKey(context: string): Promise<void> {
  try {
    await (await entryOf(context)).deletePassword(patience());
  } catch {
    // Without a keyring there is no key in the keyring.
  }
}

/** Keys in the keyring of the kernel are lost when the machine starts again, so only keyrings that keep them count. */
async function entryOf(context: string) {
  const { AsyncEntry } = await import('@napi-rs/keyring');
  return new AsyncEntry(SERVICE, context, { linux: { store: 'secret-service' } });
}

const patience = (): AbortSignal => AbortSignal.timeout(PATIENCE_MS);
const missing = (message: string): CommandError =>
  new CommandError(message, EXIT.unauthenticated, 'landlord login, or set LANDLORD_API_KEY');

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND' ? 'its package is not installed' : message;
}
