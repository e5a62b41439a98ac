import { Command } from 'commander';
import { ConnectionError, paged, usableKey, withoutLogins, type AnyPage } from '@landlord/sdk';
import { CommandError, usage } from '../../exit.js';
import { exitCodeOfStatus } from '../../explain-error.js';
import { jsonOf } from '../../output/output.js';
import { contextOf, type Source } from '../../settings/contexts.js';
import { nodeFetch } from '../../settings/node-fetch.js';
import { bodyOf, queryOf } from './fields.js';
import { filled, supervisorOf, type ApiOptions } from './place.js';
import { selected } from './select.js';

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'];

export const apiCommand = (): Command =>
  new Command('api')
    .description(
      'Sends one request, and prints the answer as received. The exit codes are those of the other commands.',
    )
    .argument('<method>', `${METHODS.join(', ')}; or the path, for GET, or with -f for POST`)
    .argument(
      '[path]',
      'such as /tenants/{tenant_id}/divisions; {division_id}, {environment_id} and {deployment_id} are those of the options or of the context',
    )
    .option('--body <json>', 'the body of the request')
    .option('-f, --field <key=value...>', 'a member of the body, or of the query of GET; a.b=1 is in an object')
    .option('--paginate', 'read every page of a list, and print all items')
    .option(
      '--select <path>',
      'print only this part of the answer, such as .items[].name; a path, and no other expression of jq',
    )
    .option('--supervisor <url>', 'the address of a Supervisor; default: that of the deployment in the path')
    .option('--context <name>', 'use this context')
    .option('--division <name or id>', 'the division')
    .option('--environment <name or id>', 'the environment')
    .option('-d, --deployment <name or id>', 'the deployment')
    .action(send);

async function send(first: string, second: string | undefined, options: ApiOptions): Promise<void> {
  const [method, path] = wordsOf(first, second, options);
  const source = contextOf(options.context);
  const target = await filled(path, source, options);
  const base = (options.supervisor ?? (await supervisorOf(target, options)) ?? source.context.url).replace(/\/+$/, '');
  const body = method === 'GET' ? undefined : bodyOf(options);
  const query = method === 'GET' ? queryOf(target, options.field) : target;
  if (options.paginate) return print(await pagesOf(`${base}${query}`, source), options);
  const { text, status } = await answerOf(`${base}${query}`, { method, source, body });
  if (status >= 400) {
    process.stdout.write(lineOf(text));
    throw new CommandError(`The answer is ${status}.`, exitCodeOfStatus(status));
  }
  if (options.select === undefined) process.stdout.write(lineOf(text));
  else print(JSON.parse(text) as unknown, options);
}

function wordsOf(first: string, second: string | undefined, { field, body }: ApiOptions): [string, string] {
  const path = second ?? first;
  const method = second === undefined ? (field || body !== undefined ? 'POST' : 'GET') : first.toUpperCase();
  if (!METHODS.includes(method)) throw usage(`${first} is not a method.`, `one of ${METHODS.join(', ')}`);
  if (!path.startsWith('/')) throw usage('The path does not begin with "/".', 'landlord api GET /errors');
  return [method, path];
}

/** An answer of a terminal ends with a line break. An empty one stays empty. */
const lineOf = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`);

function print(value: unknown, { select }: ApiOptions): void {
  const parts = select === undefined ? [value] : selected(value, select);
  for (const part of parts) process.stdout.write(`${typeof part === 'string' ? part : jsonOf(part, 2)}\n`);
}

async function answerOf(
  url: string,
  { method, source, body }: { method: string; source: Source; body?: string | undefined },
): Promise<{ text: string; status: number; link: string | null }> {
  const response = await nodeFetch(source.context.ca_file)(url, {
    method,
    headers: {
      'ld-api-key': usableKey(await source.key()),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body }),
  }).catch((error: unknown) => {
    const { origin } = new URL(url);
    throw new ConnectionError(withoutLogins(`${origin} does not answer: ${(error as Error).message}`), {
      cause: error,
    });
  });
  return { text: await response.text(), status: response.status, link: response.headers.get('link') };
}

/** The items of every page. The links of the pages say where the next one begins. */
async function pagesOf(url: string, source: Source): Promise<unknown[]> {
  const list = paged({ page: 1 }, async ({ page: number, cursor }) => {
    const address = new URL(url);
    address.searchParams.set('page', String(number));
    if (cursor !== undefined) address.searchParams.set('cursor', cursor);
    const { text, status, link } = await answerOf(address.href, { method: 'GET', source });
    if (status >= 400) throw new CommandError(`The answer is ${status}: ${text}`, exitCodeOfStatus(status));
    const page = JSON.parse(text) as AnyPage;
    if (Array.isArray(page.items)) return { page, link };
    throw usage('The answer is no list with pages.', 'repeat the command without --paginate');
  });
  const items: unknown[] = [];
  for await (const item of list) items.push(item);
  return items;
}
