import { createHash, randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { ConnectionError, createClient, withoutLogins, type ClientOptions } from '@landlord/sdk';
import { CommandError, EXIT } from '../exit.js';
import { tell } from '../output/output.js';
import { LoopbackListener } from './loopback-listener.js';
import { openPage } from './open-page.js';

/** A key that a person created in the browser. */
export interface HandedKey {
  api_key: string;
  api_key_id: number;
}

type Place = Required<Pick<ClientOptions, 'url' | 'fetch'>>;

const SECRET_BYTES = 32;
const NAME_LENGTH = 100;
const PATIENCE_MS = 30_000;

/**
 * Opens the login page of the installation, and waits until a person has created a key there. The code that the browser
 * brings is worthless for other programs, because only this process knows the verifier (RFC 7636, RFC 8252).
 * @throws CommandError when nobody creates a key in time, or the installation has no such page
 */
export async function loginByBrowser({ url, fetch }: Place): Promise<HandedKey> {
  const { loginCodes } = createClient({ url, fetch });
  await requirePage({ url, fetch });
  const code_verifier = randomBytes(SECRET_BYTES).toString('base64url');
  const state = randomBytes(SECRET_BYTES).toString('base64url');
  const listener = await LoopbackListener.open(state);
  try {
    const { redirect_uri } = listener;
    const code_challenge = createHash('sha256').update(code_verifier).digest('base64url');
    const page = loginPage(url, { name: keyName(), code_challenge, redirect_uri, state });
    tell(`Create the key on this page, in a browser on this computer:\n  ${page}`);
    openPage(page);
    const code = await listener.code();
    const { id, secret } = await loginCodes.redeem({ code, code_verifier, redirect_uri });
    listener.answer('You are signed in. You can close this page and go back to the command line.');
    return { api_key: secret, api_key_id: id };
  } catch (error) {
    listener.answer('The login failed. The command line says why.');
    throw error;
  } finally {
    listener.close();
  }
}

/** A wrong address, or an installation of an older release, fails here. Otherwise the person waits for ten minutes. */
async function requirePage({ url, fetch }: Place): Promise<void> {
  const shown = withoutLogins(url);
  const { status } = await fetch(pageOf(url), { signal: AbortSignal.timeout(PATIENCE_MS) }).catch((error: unknown) => {
    throw new ConnectionError(withoutLogins(`${shown} does not answer: ${(error as Error).message}`), { cause: error });
  });
  if (status === 404)
    throw new CommandError(`${shown} has no login by browser.`, EXIT.notFound, 'landlord login --key-file <file>');
  if (status !== 200)
    throw new CommandError(`${shown} answered ${status} instead of the login page.`, EXIT.network, 'check the URL');
}

const pageOf = (url: string): string => `${url.replace(/\/+$/, '')}/console/command-line`;

function loginPage(url: string, request: Record<string, string>): string {
  const page = new URL(pageOf(url));
  // The page is printed. A browser asks for the login of a proxy itself.
  page.username = page.password = '';
  page.search = new URLSearchParams(request).toString();
  return page.href;
}

const keyName = (): string => `landlord on ${hostname()}`.slice(0, NAME_LENGTH);
