import { createHash, randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { createClient, type ClientOptions } from '@landlord/sdk';
import { tell } from '../output/output.js';
import { LoopbackListener } from './loopback-listener.js';
import { openPage } from './open-page.js';

/** A key that a person created in the browser. */
export interface HandedKey {
  api_key: string;
  api_key_id: number;
}

const SECRET_BYTES = 32;
const NAME_LENGTH = 100;

/**
 * Opens the login page of the installation, and waits until a person has created a key there. The code that the browser
 * brings is worthless for other programs, because only this process knows the verifier (RFC 7636, RFC 8252).
 * @throws CommandError when nobody creates a key in time
 */
export async function loginByBrowser({ url, fetch }: Pick<ClientOptions, 'url' | 'fetch'>): Promise<HandedKey> {
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
    const { loginCodes } = createClient({ url, ...(fetch && { fetch }) });
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

function loginPage(url: string, request: Record<string, string>): string {
  const page = new URL(`${url.replace(/\/+$/, '')}/pages/command_line`);
  // The page is printed. A browser asks for the login of a proxy itself.
  page.username = page.password = '';
  page.search = new URLSearchParams(request).toString();
  return page.href;
}

const keyName = (): string => `landlord on ${hostname()}`.slice(0, NAME_LENGTH);
