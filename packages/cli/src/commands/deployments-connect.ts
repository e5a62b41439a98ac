import { spawn } from 'node:child_process';
import { Command } from 'commander';
import { withCommonOptions, type AnyOptions } from '../common-options.js';
import { CommandError, EXIT } from '../exit.js';
import { print } from '../output/output.js';
import { openSession } from '../settings/session.js';

export const connectCommand = (): Command =>
  withCommonOptions(
    new Command('connect')
      .description('Prints the addresses of the nodes and the login, as a line for a client.')
      .argument('[deployment]', 'the name or the id; default: the only one')
      .option(
        '--exec <program...>',
        'start this program; everything after --exec belongs to it. It may use {host}, {port}, {username} and {password}',
      ),
  ).action((name: string | undefined, options: AnyOptions) => connect(name, options));

async function connect(name: string | undefined, options: AnyOptions): Promise<void> {
  const { landlord, places } = openSession(options);
  const { deployment_id = 0 } = await places.find('deployment', name ?? options.deployment);
  const [{ nodes }, login] = await Promise.all([
    landlord.runtime.get({ deployment_id }),
    landlord.runtime.getCredentials({ deployment_id }),
  ]);
  const open = nodes.filter(({ endpoints }) => endpoints.tcp !== null);
  const [first] = open;
  if (first === undefined)
    throw new CommandError('No node has a public address yet.', EXIT.other, 'landlord operations list');
  const [host = '', port = ''] = (first.endpoints.tcp ?? '').split(/:(?=\d+$)/);
  const values = { host, port, username: login.username, password: login.password };
  const [program] = (options['exec'] as string[] | undefined) ?? [];
  if (program !== undefined) return execute((JSON.parse(program) as string[]).map((word) => filled(word, values)));
  const line = `npx mqtt sub -h ${host} -p ${port} -u ${login.username} -P ${login.password} -t '#' -v`;
  const addresses = open.map(({ name: node, endpoints }) => ({ node, ...endpoints }));
  await print(
    {
      username: login.username,
      password: login.password,
      nodes: addresses,
      ...(first.driver !== 'iggy' && { client: line }),
    },
    options.output,
  );
}

const filled = (word: string, values: Record<string, string>): string =>
  word.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);

/** Rejects when the program fails. */
async function execute([program = '', ...words]: readonly string[]): Promise<void> {
  const child = spawn(program, words, { stdio: 'inherit' });
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', (error) => reject(new CommandError(`${program}: ${error.message}`, EXIT.other)));
    child.once('close', (ended) => resolve(ended ?? EXIT.other));
  });
  if (code !== 0) throw new CommandError(`${program} has ended with code ${code}.`, EXIT.other);
}
