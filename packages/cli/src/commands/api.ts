import { Command } from 'commander';
import { ConnectionError, usableKey, withoutLogins } from '@landlord/sdk';
import { CommandError, EXIT, usage } from '../exit.js';
import { contextOf } from '../settings/contexts.js';
import { nodeFetch } from '../settings/node-fetch.js';

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'];

interface ApiOptions {
  context?: string;
  body?: string;
  supervisor?: string;
}

export const apiCommand = (): Command =>
  new Command('api')
    .description('Sends one request, and prints the answer as received. The exit code is 5 for a refusal.')
    .argument('<method>', METHODS.join(', '))
    .argument('<path>', 'such as /tenants/1; {tenant_id} is the tenant of the context')
    .option('--body <json>', 'the body of the request')
    .option('--supervisor <url>', 'the address of a Supervisor; without it the main API is asked')
    .option('--context <name>', 'use this context')
    .action(send);

async function send(method: string, path: string, options: ApiOptions): Promise<void> {
  const verb = method.toUpperCase();
  if (!METHODS.includes(verb)) throw usage(`${method} is not a method.`, `one of ${METHODS.join(', ')}`);
  if (!path.startsWith('/')) throw usage('The path does not begin with "/".');
  const { context, key } = contextOf(options.context);
  const filled = path.replaceAll('{tenant_id}', () => {
    if (context.tenant_id !== undefined) return String(context.tenant_id);
    throw usage('The context has no tenant.', 'set LANDLORD_TENANT_ID');
  });
  const base = (options.supervisor ?? context.url).replace(/\/+$/, '');
  const response = await nodeFetch(context.ca_file)(`${base}${filled}`, {
    method: verb,
    headers: {
      'ld-api-key': usableKey(await key()),
      ...(options.body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(options.body !== undefined && { body: options.body }),
  }).catch((error: unknown) => {
    throw new ConnectionError(withoutLogins(`${base} does not answer: ${(error as Error).message}`), { cause: error });
  });
  process.stdout.write(await response.text());
  if (!response.ok) throw new CommandError(`The answer is ${response.status}.`, EXIT.refused);
}
