import { withoutLogins } from '@landlord/sdk';
import { CommandError, EXIT, usage } from '../../exit.js';
import { tell } from '../../output/output.js';
import { ENVIRONMENT } from '../../settings/config.js';
import { readContexts, type Context } from '../../settings/contexts.js';

const LOCAL_URL = 'http://localhost:3000';
const USUAL_NAME = 'default';
const IS_LOCAL = /^(?:localhost|127\.|\[?::1)/;

interface Place {
  url?: string;
  name?: string;
  replace?: boolean;
}

/** The address that gets the key. A person sees it before they type the key. @throws CommandError for a text that is no address */
export async function addressFor({ url }: Place): Promise<string> {
  const named = url ?? ENVIRONMENT.url;
  if (named !== undefined) return addressIn(named);
  if (!process.stdin.isTTY) {
    tell(`The key is for ${LOCAL_URL}. Name another address with --url.`);
    return LOCAL_URL;
  }
  const { ask } = await import('../../output/ask.js');
  const typed = await ask(`Address of the installation [${LOCAL_URL}]: `);
  return typed === '' ? LOCAL_URL : addressIn(typed);
}

/** A host without a scheme has TLS, except for this machine. */
function addressIn(text: string): string {
  const url = /^[a-z]+:\/\//i.test(text) ? text : `${IS_LOCAL.test(text) ? 'http' : 'https'}://${text}`;
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw usage(`"${withoutLogins(text)}" is not an address.`, 'such as https://landlord.example.com');
}

/** The name of the context. A context of another installation is not replaced without a word. @throws CommandError when the person does not agree */
export async function nameFor(url: string, { name, replace = false }: Place): Promise<string> {
  const { contexts } = readContexts();
  const isFree = (one: string): boolean => !Object.hasOwn(contexts, one) || isSame(contexts[one], url);
  const usual = isFree(USUAL_NAME) ? USUAL_NAME : new URL(url).host;
  const chosen = name ?? usual;
  if (isFree(chosen) || replace) return chosen;
  const question = `The context ${chosen} is for ${withoutLogins(contexts[chosen]?.url ?? '')}.`;
  if (!process.stdin.isTTY) throw usage(question, 'add --name <another name>, or --replace');
  const { ask } = await import('../../output/ask.js');
  if ((await ask(`${question} Replace it? Type yes: `)) === 'yes') return chosen;
  throw new CommandError('Nothing was stored.', EXIT.other, 'landlord login --name <another name>');
}

const isSame = (context: Context | undefined, url: string): boolean =>
  context !== undefined && new URL(context.url).origin === new URL(url).origin;
