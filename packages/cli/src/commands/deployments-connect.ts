import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { Command } from 'commander';
import { withCommonOptions, type AnyOptions } from '../common-options.js';
import { CommandError, EXIT, ProgramEnded } from '../exit.js';
import { noRule, tellClients } from '../output/no-rule.js';
import { print } from '../output/output.js';
import { environmentWith } from '../settings/config.js';
import { openSession } from '../settings/session.js';
import { clientLine } from './client-line.js';

/** A shell adds the number of a signal to it. */
const SIGNALED = 128;

export const connectCommand = (): Command =>
  withCommonOptions(
    new Command('connect')
      .description('Prints the addresses of the nodes and the login, as a line for a client.')
      .argument('[deployment]', 'the name or the id; default: the only one')
      .option(
        '--exec <program...>',
        'start this program; everything after --exec belongs to it. The address and the login are in MQTT_HOST, MQTT_PORT, MQTT_USERNAME and MQTT_PASSWORD, which other users cannot read, and in {host}, {port}, {username} and {password}',
      ),
  ).action((name: string | undefined, options: AnyOptions) => connect(name, options));

async function connect(name: string | undefined, options: AnyOptions): Promise<void> {
  const { landlord, places } = openSession(options);
  const { deployment_id = 0 } = await places.find('deployment', name ?? options.deployment);
  const [{ nodes, clients, protocols }, login, word] = await Promise.all([
    landlord.runtime.get({ deployment_id }),
    landlord.runtime.getCredentials({ deployment_id }),
    places.wordFor(deployment_id),
  ]);
  const open = nodes.filter(({ endpoints }) => endpoints.tcp !== null);
  const [first] = open;
  if (first === undefined)
    throw new CommandError('No node has a public address yet.', EXIT.other, 'landlord operations list');
  const [host = '', port = ''] = (first.endpoints.tcp ?? '').split(/:(?=\d+$)/);
  const values = { host, port, username: login.username, password: login.password };
  const program = programOf(options);
  if (program) {
    tellClients({ clients }, word);
    return execute(
      program.map((part) => filled(part, values)),
      values,
    );
  }
  await print(
    {
      ...(options.output === 'name' && { name: (await places.names())('deployment_id', deployment_id) }),
      ...{ username: login.username, password: login.password },
      nodes: open.map(({ name: node, endpoints }) => ({ node, ...endpoints })),
      protocols,
      ...(clients === 'none_allowed' && { clients, next: noRule(word) }),
      ...(first.driver !== 'iggy' && { client: clientLine(values) }),
    },
    options.output,
  );
}

/** The words after `--exec`. */
function programOf(options: AnyOptions): string[] | null {
  const [program] = (options['exec'] as string[] | undefined) ?? [];
  return program === undefined ? null : (JSON.parse(program) as string[]);
}

const filled = (word: string, values: Record<string, string>): string =>
  word.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);

/** The address and the login in the variables of this command, and in those that clients of MQTT use. */
const variables = ({ host = '', port = '', username = '', password = '' }: Record<string, string>) => ({
  ...{ LANDLORD_BROKER_HOST: host, LANDLORD_BROKER_PORT: port },
  ...{ LANDLORD_BROKER_USERNAME: username, LANDLORD_BROKER_PASSWORD: password },
  ...{ MQTT_HOST: host, MQTT_PORT: port, MQTT_USERNAME: username, MQTT_PASSWORD: password },
  // The name that the MQTT CLI of HiveMQ reads with --password:env.
  MQTT_CLI_PW: password,
});

/**
 * Ends as the program ends. `ps` shows the words of a program to every user of the machine, but not its environment.
 * @throws ProgramEnded when the program fails: a signal is 128 and its number, as in a shell
 */
async function execute([program = '', ...words]: readonly string[], login: Record<string, string>): Promise<void> {
  const child = spawn(program, words, { stdio: 'inherit', env: environmentWith(variables(login)) });
  // Ctrl-C belongs to the program, which gets the signal from the terminal, too.
  const stay = (): void => undefined;
  process.on('SIGINT', stay);
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', (error) => reject(new CommandError(`${program}: ${error.message}`, EXIT.noProgram)));
    child.once('close', (ended, signal) => resolve(ended ?? SIGNALED + (signal ? constants.signals[signal] : 0)));
  }).finally(() => process.off('SIGINT', stay));
  if (code !== 0) throw new ProgramEnded(code);
}
