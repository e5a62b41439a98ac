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
    'act as the other side of peerings and services of the local cloud; the local cloud transfers no packets',
  );
  command
    .command('list')
    .description('list all peerings, services and connections')
    .option('--json', 'print all data as JSON')
    .action(async (options: object) => (await verbs()).listLocalConnections(options));
  byName(command, 'accept')
    .description('accept a peering or a waiting connection')
    .option('--connection <id>', 'the id of the connection, if the name is a service')
    .action(async (name: string, choice: Choice) => (await verbs()).acceptLocalConnection(name, choice));
  byName(command, 'reject')
    .description('reject a peering or a waiting connection; for Google Cloud, delete the other side of the peering')
    .option('--connection <id>', 'the id of the connection, if the name is a service')
    .action(async (name: string, choice: Choice) => (await verbs()).rejectLocalConnection(name, choice));
  byName(command, 'expire')
    .description('expire the request of an AWS peering, as after seven days')
    .action(async (name: string, choice: Choice) => (await verbs()).expireLocalConnection(name, choice));
  byName(command, 'connect')
    .description('connect to an endpoint service or a service attachment; prints the id of the connection')
    .requiredOption('--owner <account>', 'AWS: 12 digits or an ARN; Google Cloud: a project id')
    .option('--network <name>', 'the source network of the connection')
    .option('--endpoint <name>', 'endpoint or forwarding rule; default: a generated name')
    .action(async (name: string, options: Choice & { owner: string }) =>
      (await verbs()).connectLocalConnection(name, options),
    );
  byName(command, 'close')
    .description('close a connection')
    .requiredOption('--connection <id>', 'the id of the connection')
    .action(async (name: string, choice: Choice & { connection: string }) =>
      (await verbs()).closeLocalConnection(name, choice),
    );
  return command;
}

const byName = (parent: Command, verb: string): Command =>
  parent
    .command(verb)
    .argument('<name>', 'the name from the list')
    .addOption(new Option('--kind <kind>', 'select the kind if two have the same name').choices(KINDS));
