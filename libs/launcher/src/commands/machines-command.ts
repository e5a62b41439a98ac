import { Command, InvalidArgumentError } from 'commander';

// Loaded when such a verb is used, so that `start` is fast.
const verbs = () => import('../operator/machine-verbs.js');
const joining = () => import('../operator/join-local.js');
const rollouts = () => import('../operator/rollout-verbs.js');

/** `landlord machines`: the hosts that run nodes. */
export function machinesCommand(): Command {
  const command = new Command('machines').description('add, list, drain and remove the hosts that run nodes');
  withJson(command.command('token'))
    .description('print a shell line and a one-time token; a host that runs the line becomes a machine')
    .option('--region <region>', 'default: the first region that the Supervisor serves')
    .option('--zone <zone>', 'default: the first zone of the region')
    .option('--cell <cell>', 'default: the cell that serves the region')
    .option('--expires <time>', 'the lifetime of the token, such as 30m or 2h, at most 24h', minutes, 30)
    .action(async (options: { expires: number }) => (await verbs()).issueMachineToken(options));
  command
    .command('join')
    .description('make this host, which runs the Supervisor, a machine; other hosts join with a token')
    .requiredOption('--local', 'run nodes as processes of this user, without limits of the system')
    .option('--region <region>', 'default: the first region that the Supervisor serves')
    .option('--zone <zone>', 'default: the first zone of the region')
    .option('--memory <MiB>', 'what nodes may use; default: the memory of the host without 512 MiB', whole)
    .option('--disk <GiB>', 'what nodes may use; default: the free disk without 2 GiB', whole)
    .option('--address <address>', 'where clients reach the nodes; default: the address that reaches the gateway')
    .action(async (options: object) => (await joining()).joinLocalMachine(options));
  withJson(command.command('list'))
    .description('list machines, with what their nodes may use')
    .option('--all', 'include removed machines')
    .action(async (options: object) => (await verbs()).listMachines(options));
  withJson(byId(command, 'drain'))
    .description('place no new nodes on a machine, and list its nodes')
    .action(async (id: number, options: object) => (await verbs()).drainMachine(id, options));
  byId(command, 'resume')
    .description('place new nodes on a drained machine again')
    .action(async (id: number) => (await verbs()).resumeMachine(id));
  withJson(byId(command, 'remove'))
    .description('refuse a machine from now on; its nodes count as lost')
    .option('--lose-data <hostname>', 'remove the machine although it may have the only copy of data')
    .action(async (id: number, options: object) => (await verbs()).removeMachine(id, options));
  addRollouts(command);
  return command;
}

function addRollouts(command: Command): void {
  withJson(command.command('rollouts'))
    .description('list the roll-outs of new agents to the machines')
    .action(async (options: object) => (await rollouts()).listRollouts(options));
  command
    .command('rollout')
    .description('roll an earlier program of the agents out again, to one machine first')
    .argument('<program>', 'at least the first 12 characters of its sha256')
    .option('--cell <cell>', 'necessary when several cells have the program')
    .action(async (program: string, { cell }: { cell?: string }) =>
      (await rollouts()).beginRollout({ program, ...(cell !== undefined && { cell }) }),
    );
  byId(command, 'stop-rollout')
    .description('stop a running roll-out; machines that have changed keep the program')
    .action(async (id: number) => (await rollouts()).stopRollout(id));
}

const withJson = (command: Command): Command => command.option('--json', 'print all data as JSON');
const byId = (parent: Command, name: string): Command => parent.command(name).argument('<id>', 'the id', machineId);

function machineId(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('The value must be a whole number above 0.');
  return Number(text);
}

function whole(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('The value must be a whole number above 0.');
  return Number(text);
}

function minutes(text: string): number {
  const [, count, unit] = /^([1-9]\d{0,3})(m|h)$/.exec(text) ?? [];
  const total = Number(count) * (unit === 'h' ? 60 : 1);
  if (count === undefined || total > 24 * 60) throw new InvalidArgumentError('The time must be 1m to 24h.');
  return total;
}
