import { Command, Option } from 'commander';

// Loaded when such a verb is used, so that `start` is fast.
const verbs = () => import('../operator/local-verbs.js');

const KINDS = ['vpc_peering', 'network_peering', 'endpoint_service', 'service_attachment'] as const;
type Kind = (typeof KINDS)[number];

/** Options that select among equal names. */
interface Choice {
  kind?: Kind;
  connection?: string;
}

/** `landlord ops local`: the operator acts as the other side of peerings and services of the local cloud. */
export function localCommand(): Command {
  const command = new Command('local').description(
    'play the other side of peerings and services of the local cloud; no packet travels',
  );
  command
    .command('list')
    .description('everything that can be acted on')
    .option('--json', 'all that is known, as JSON')
    .action(async (options: object) => (await verbs()).listLocalConnections(options));
  byName(command, 'accept')
    .description('accept a peering, or a connection that waits')
    .option('--connection <id>', 'the connection, where the name is a service')
    .action(async (name: string, choice: Choice) => (await verbs()).acceptLocalConnection(name, choice));
  byName(command, 'reject')
    .description('reject a peering (of Google Cloud: take the other half away), or a connection that waits')
    .option('--connection <id>', 'the connection, where the name is a service')
    .action(async (name: string, choice: Choice) => (await verbs()).rejectLocalConnection(name, choice));
  byName(command, 'expire')
    .description('end the seven days that a peering of AWS waits')
    .action(async (name: string, choice: Choice) => (await verbs()).expireLocalConnection(name, choice));
  byName(command, 'connect')
    .description('connect to an endpoint service or a service attachment; prints the id of the connection')
    .requiredOption('--owner <account>', 'AWS: 12 digits or an ARN; Google Cloud: a project id')
    .option('--network <name>', 'the network that the connection comes from')
    .option('--endpoint <name>', 'endpoint or forwarding rule; made up when it is not given')
    .action(async (name: string, options: Choice & { owner: string }) =>
      (await verbs()).connectLocalConnection(name, options),
    );
  byName(command, 'close')
    .description('close a connection')
    .requiredOption('--connection <id>', 'the connection')
    .action(async (name: string, choice: Choice & { connection: string }) =>
      (await verbs()).closeLocalConnection(name, choice),
    );
  return command;
}

const byName = (parent: Command, verb: string): Command =>
  parent
    .command(verb)
    .argument('<name>', 'as list shows it')
    .addOption(new Option('--kind <kind>', 'where two have one name').choices(KINDS));
