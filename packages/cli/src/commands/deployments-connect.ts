import { spawn } from 'node:child_process';
import { Command } from 'commander';
import { withCommonOptions, type AnyOptions } from '../common-options.js';
import { CommandError, EXIT } from '../exit.js';
import { NO_RULE, tellClients } from '../output/no-rule.js';
import { print } from '../output/output.js';
import { environmentWith } from '../settings/config.js';
import { openSession } from '../settings/session.js';
import { clientLine } from './client-line.js';

export const connectCommand = (): Command =>
  withCommonOptions(
    new Command('connect')
      .description('Prints the addresses of the nodes and the login, as a line for a client.')
      .argument('[deployment]', 'the name or the id; default: the only one')
      .option(
        '--exec <program...>',
        'start this program; everything after --exec belongs to it. It may use {host}, {port}, {username} and {password}; LANDLORD_BROKER_PASSWORD has the password, too, which other users cannot read',
      ),
  ).action((name: string | undefined, options: AnyOptions) => connect(name, options));

async function connect(name: string | undefined, options: AnyOptions): Promise<void> {
  const { landlord, places } = openSession(options);
  const { deployment_id = 0 } = await places.find('deployment', name ?? options.deployment);
  const [{ nodes, clients, protocols }, login] = await Promise.all([
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
  if (program !== undefined) {
    tellClients({ clients });
    return execute(
      (JSON.parse(program) as string[]).map((word) => filled(word, values)),
      login.password,
    );
  }
  const line = clientLine(values);
  const addresses = open.map(({ name: node, endpoints }) => ({ node, ...endpoints }));
  await print(
    {
      username: login.username,
      password: login.password,
      nodes: addresses,
      protocols,
      ...(clients === 'none_allowed' && { clients, next: NO_RULE }),
      ...(first.driver !== 'iggy' && { client: line }),
    },
    options.output,
  );
}

const filled = (word: string, values: Record<string, string>): string =>
  word.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);

/** Rejects when the program fails. `ps` shows the words of a program to every user of the machine, but not its environment. */
async function execute([program = '', ...words]: readonly string[], password: string): Promise<void> {
  const env = environmentWith({ LANDLORD_BROKER_PASSWORD: password });
  const child = spawn(program, words, { stdio: 'inherit', env });
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', (error) => reject(new CommandError(`${program}: ${error.message}`, EXIT.other)));
    child.once('close', (ended) => resolve(ended ?? EXIT.other));
  });
  if (code !== 0) throw new CommandError(`${program} has ended with code ${code}.`, EXIT.other);
}
