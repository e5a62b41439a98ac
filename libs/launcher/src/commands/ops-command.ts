import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { localCommand } from './local-command.js';

// Each verb is loaded when it is used, so that `start` is fast.
const operations = () => import('../operator/operation-verbs.js');
const incidents = () => import('../operator/incident-verbs.js');
const tenants = () => import('../operator/tenant-verbs.js');
const keys = () => import('../operator/key-verbs.js');
const invoices = () => import('../operator/invoice-verbs.js');
const placement = () => import('../operator/placement-verbs.js');

/** `landlord ops`: the commands of operators. */
export function opsCommand(): Command {
  return new Command('ops')
    .description('show and change operations, incidents, tenants, invoices, keys, cells, nodes and the local cloud')
    .addCommand(operationsCommand())
    .addCommand(incidentsCommand())
    .addCommand(tenantsCommand())
    .addCommand(invoicesCommand())
    .addCommand(monthsCommand())
    .addCommand(keysCommand())
    .addCommand(cellsCommand())
    .addCommand(nodesCommand())
    .addCommand(localCommand())
    .addCommand(
      withJson(new Command('resume-destruction'))
        .description('let destruction go on after a restore')
        .option('--list', 'only say what waits')
        .action(async (options: object) =>
          (await import('../operator/resume-destruction.js')).resumeDestruction(options),
        ),
    );
}

function operationsCommand(): Command {
  const command = new Command('operations').description(
    'long work: read it, try it again, pass over a step, give it up',
  );
  withJson(command.command('list'))
    .description('the newest first')
    .option('--tenant <id>', 'of this tenant', integer)
    .option('--deployment <id>', 'of this deployment', integer)
    .option('--status <status>', 'pending, running, succeeded, failed or cancelled')
    .option('--type <type>', 'such as provision_deployment')
    .option('--limit <count>', 'at most so many', integer, 50)
    .action(async (options: { limit: number }) => (await operations()).listOperations(options));
  withJson(byId(command, 'show'))
    .description('all that is known of one: steps, next try, deadline, last error, incident')
    .action(async (id: number, options: object) => (await operations()).showOperation(id, options));
  byId(command, 'retry')
    .description('try its current step again now, as if for the first time')
    .action(async (id: number) => (await operations()).retryOperation(id));
  byId(command, 'skip')
    .description('pass over its current step, as if it had ended well')
    .action(async (id: number) => (await operations()).skipOperation(id));
  byId(command, 'cancel')
    .description('give it up and undo what it did')
    .option('--reason <text>', 'told to the tenant', 'cancelled by the operator')
    .action(async (id: number, options: { reason: string }) => (await operations()).cancelOperation(id, options));
  return command;
}

function incidentsCommand(): Command {
  const command = new Command('incidents').description('what needs a person');
  withJson(command.command('list'))
    .description('open ones, the newest first')
    .option('--all', 'closed ones, too')
    .action(async (options: object) => (await incidents()).listIncidents(options));
  withJson(byId(command, 'show'))
    .description('all that is known of one')
    .action(async (id: number, options: object) => (await incidents()).showIncident(id, options));
  byId(command, 'close')
    .description('say that it was dealt with')
    .action(async (id: number) => (await incidents()).closeIncident(id));
  byId(command, 'adopt')
    .description('let an unknown resource be, and hear of it no more')
    .action(async (id: number) => (await incidents()).decideIncident(id, 'adopt'));
  byId(command, 'destroy')
    .description('have an unknown resource destroyed')
    .action(async (id: number) => (await incidents()).decideIncident(id, 'destroy'));
  return command;
}

function tenantsCommand(): Command {
  const command = new Command('tenants').alias('tenant').description('tenants and what they may use');
  withJson(command.command('list'))
    .description('all tenants')
    .addOption(
      new Option('--invoice-agreement <granter>', 'only those whose agreement has this granter').choices([
        ...['installation', 'operator', 'self_service', 'kept', 'unknown'],
      ]),
    )
    .action(async (options: object) => (await tenants()).listTenants(options));
  withJson(byId(command, 'show'))
    .description('one tenant')
    .action(async (id: number, options: object) => (await tenants()).showTenant(id, options));
  byId(command, 'set-plan')
    .argument('<plan>', 'basic, pro or enterprise')
    .description('move it to a plan, at once')
    .option('--override <name=value>', 'a limit or flag beyond the plan; several times', collect, [])
    .action(async (id: number, plan: string, options: { override: string[] }) =>
      (await tenants()).setPlan(id, plan, options),
    );
  byId(command, 'invoice-agreement')
    .addArgument(new Argument('<verb>', 'what to do').choices(['grant', 'revoke']))
    .description('let it pay by invoice, or no longer: what runs then goes on, nothing paid is added')
    .action(async (id: number, verb: 'grant' | 'revoke') => (await tenants()).changeInvoiceAgreement(id, verb));
  return command;
}

function invoicesCommand(): Command {
  const command = new Command('invoices').description('invoices of all tenants, and what has become of them');
  withJson(command.command('list'))
    .description('the newest month first')
    .option('--tenant <id>', 'of this tenant', integer)
    .option('--status <status>', 'draft, pending, paid, failed or cancelled')
    .option('--month <month>', 'such as 2026-10', month)
    .option('--limit <count>', 'at most so many', integer, 50)
    .action(async (options: { limit: number }) => (await invoices()).listInvoices(options));
  withJson(command.command('show <number>'))
    .description('all that is known of one')
    .action(async (number: string, options: object) => (await invoices()).showInvoice(number, options));
  command
    .command('paid <number>')
    .description('the money is there; for good')
    .option('--reference <text>', 'of the payment; written down, not shown on the invoice')
    .action(async (number: string, options: object) => (await invoices()).payInvoice(number, options));
  command
    .command('failed <number>')
    .description('the money does not come')
    .requiredOption('--reason <text>', 'shown to the tenant on the invoice')
    .action(async (number: string, options: { reason: string }) => (await invoices()).failInvoice(number, options));
  command
    .command('cancel <number>')
    .description('nothing is owed; for good')
    .requiredOption('--reason <text>', "written down, also in the tenant's audit")
    .action(async (number: string, options: { reason: string }) => (await invoices()).cancelInvoice(number, options));
  return command;
}

function monthsCommand(): Command {
  const command = new Command('months').description('months whose books are closed');
  withJson(command.command('list'))
    .description('the newest first, with what was invoiced')
    .action(async (options: object) => (await invoices()).listMonths(options));
  return command;
}

function keysCommand(): Command {
  const command = new Command('keys').description('API keys of any tenant');
  withJson(command.command('list'))
    .description('without their secrets')
    .requiredOption('--tenant <id>', 'of this tenant', integer)
    .action(async (options: { tenant: number }) => (await keys()).listKeys(options));
  withJson(command.command('issue'))
    .description("make one that acts for the tenant's owner, and print its secret once")
    .requiredOption('--tenant <id>', 'of this tenant', integer)
    .option('--role <name>', 'a role of the tenant', 'owner')
    .option('--name <name>', 'what it is called', 'operator')
    .option('--days <days>', 'how long it lives, 1 to 365', integer, 90)
    .action(async (options: { tenant: number; role: string; name: string; days: number }) =>
      (await keys()).issueKey(options),
    );
  byId(command, 'revoke')
    .description('delete it: it opens nothing from the next request on')
    .action(async (id: number) => (await keys()).revokeKey(id));
  return command;
}

function cellsCommand(): Command {
  const command = new Command('cells').description('which Supervisors take new deployments');
  withJson(command.command('list'))
    .description('all cells')
    .action(async (options: object) => (await placement()).listCells(options));
  command
    .command('drain <cell>')
    .description('no new deployments there; what runs there runs on')
    .action(async (cell: string) => (await placement()).drainCell(cell));
  command
    .command('resume <cell>')
    .description('new deployments again')
    .action(async (cell: string) => (await placement()).resumeCell(cell));
  return command;
}

function nodesCommand(): Command {
  const command = new Command('nodes').description('nodes of all deployments');
  withJson(command.command('list'))
    .description('with what they were last heard to do')
    .option('--deployment <id>', 'of this deployment', integer)
    .option('--cell <cell>', 'of this cell')
    .option('--status <status>', 'such as running, stopped or unreachable')
    .action(async (options: object) => (await placement()).listNodes(options));
  byId(command, 'drain')
    .description('stop its broker cleanly and keep it stopped')
    .action(async (id: number) => (await placement()).drainNode(id));
  byId(command, 'resume')
    .description('let its broker run again')
    .action(async (id: number) => (await placement()).resumeNode(id));
  return command;
}

const withJson = (command: Command): Command => command.option('--json', 'all that is known, as JSON');
const byId = (parent: Command, name: string): Command => parent.command(name).argument('<id>', 'its id', integer);
const collect = (entry: string, known: string[]): string[] => [...known, entry];

function integer(text: string): number {
  if (!/^[1-9]\d{0,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number above 0.');
  return Number(text);
}

function month(text: string): string {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(text)) throw new InvalidArgumentError('It must look like 2026-10.');
  return text;
}
