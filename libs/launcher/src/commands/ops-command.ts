import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { byId, integer, withJson } from './command-parts.js';
import { deploymentsCommand } from './deployments-command.js';
import { doublesCommand } from './doubles-command.js';
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
    .description(
      'explain deployments; show and change operations, incidents, tenants, doubles, invoices, keys, cells, nodes and the local cloud',
    )
    .addCommand(deploymentsCommand())
    .addCommand(operationsCommand())
    .addCommand(incidentsCommand())
    .addCommand(tenantsCommand())
    .addCommand(doublesCommand())
    .addCommand(invoicesCommand())
    .addCommand(monthsCommand())
    .addCommand(keysCommand())
    .addCommand(cellsCommand())
    .addCommand(nodesCommand())
    .addCommand(resourcesCommand())
    .addCommand(localCommand())
    .addCommand(
      withJson(new Command('resume-destruction'))
        .description('allow the destruction of resources again after a restore')
        .option('--list', 'only list the waiting operations')
        .action(async (options: object) =>
          (await import('../operator/resume-destruction.js')).resumeDestruction(options),
        ),
    );
}

function operationsCommand(): Command {
  const command = new Command('operations').description(
    'list and show operations, retry or skip a step, cancel an operation',
  );
  withJson(command.command('list'))
    .description('list operations, newest first')
    .option('--tenant <id>', 'the id of the tenant', integer)
    .option('--deployment <id>', 'the id of the deployment', integer)
    .option('--status <status>', 'pending, running, succeeded, failed or cancelled')
    .option('--type <type>', 'such as provision_deployment')
    .option('--limit <count>', 'the maximum number of rows', integer, 50)
    .action(async (options: { limit: number }) => (await operations()).listOperations(options));
  withJson(byId(command, 'show'))
    .description('show the steps, next attempt, deadline, last error and incident of an operation')
    .action(async (id: number, options: object) => (await operations()).showOperation(id, options));
  byId(command, 'retry')
    .description('retry the current step now, with a new count of attempts')
    .action(async (id: number) => (await operations()).retryOperation(id));
  byId(command, 'skip')
    .description('skip the current step; Landlord counts the step as successful')
    .action(async (id: number) => (await operations()).skipOperation(id));
  byId(command, 'cancel')
    .description('cancel the operation and undo its finished steps')
    .option('--reason <text>', 'the tenant sees this reason', 'cancelled by the operator')
    .action(async (id: number, options: { reason: string }) => (await operations()).cancelOperation(id, options));
  return command;
}

function incidentsCommand(): Command {
  const command = new Command('incidents').description('list, show and resolve problems that need a person');
  withJson(command.command('list'))
    .description('list open incidents, newest first')
    .option('--all', 'include closed incidents')
    .action(async (options: object) => (await incidents()).listIncidents(options));
  withJson(byId(command, 'show'))
    .description('show all data of an incident')
    .action(async (id: number, options: object) => (await incidents()).showIncident(id, options));
  byId(command, 'close')
    .description('close an incident')
    .action(async (id: number) => (await incidents()).closeIncident(id));
  byId(command, 'adopt')
    .description('keep an unknown resource, and do not report it again')
    .action(async (id: number) => (await incidents()).decideIncident(id, 'adopt'));
  byId(command, 'destroy')
    .description('destroy an unknown resource')
    .action(async (id: number) => (await incidents()).decideIncident(id, 'destroy'));
  return command;
}

function tenantsCommand(): Command {
  const command = new Command('tenants')
    .alias('tenant')
    .description('list and show tenants, change plans and invoice agreements');
  withJson(command.command('list'))
    .description('list all tenants')
    .addOption(
      new Option('--invoice-agreement <granter>', 'only tenants whose invoice agreement has this granter').choices([
        ...['installation', 'operator', 'self_service', 'kept', 'unknown'],
      ]),
    )
    .action(async (options: object) => (await tenants()).listTenants(options));
  withJson(byId(command, 'show'))
    .description('show a tenant')
    .action(async (id: number, options: object) => (await tenants()).showTenant(id, options));
  byId(command, 'set-plan')
    .argument('<plan>', 'basic, pro or enterprise')
    .description('change the plan of a tenant immediately')
    .option(
      '--override <name=value>',
      'override a limit or flag of the plan; repeat the option for several',
      collect,
      [],
    )
    .action(async (id: number, plan: string, options: { override: string[] }) =>
      (await tenants()).setPlan(id, plan, options),
    );
  byId(command, 'invoice-agreement')
    .addArgument(new Argument('<verb>', 'grant or revoke the agreement').choices(['grant', 'revoke']))
    .description('grant or revoke payment by invoice; after a revocation running deployments continue')
    .action(async (id: number, verb: 'grant' | 'revoke') => (await tenants()).changeInvoiceAgreement(id, verb));
  return command;
}

function invoicesCommand(): Command {
  const command = new Command('invoices').description('list and show invoices of all tenants, and set their status');
  withJson(command.command('list'))
    .description('list invoices, newest month first')
    .option('--tenant <id>', 'the id of the tenant', integer)
    .option('--status <status>', 'draft, pending, paid, failed or cancelled')
    .option('--month <month>', 'such as 2026-10', month)
    .option('--limit <count>', 'the maximum number of rows', integer, 50)
    .action(async (options: { limit: number }) => (await invoices()).listInvoices(options));
  withJson(command.command('show <number>'))
    .description('show all data of an invoice')
    .action(async (number: string, options: object) => (await invoices()).showInvoice(number, options));
  command
    .command('paid <number>')
    .description('set the invoice to paid; this status is final')
    .option(
      '--reference <text>',
      'the reference of the payment; Landlord records it and does not show it on the invoice',
    )
    .action(async (number: string, options: object) => (await invoices()).payInvoice(number, options));
  command
    .command('failed <number>')
    .description('set the invoice to failed')
    .requiredOption('--reason <text>', 'the tenant sees this reason on the invoice')
    .action(async (number: string, options: { reason: string }) => (await invoices()).failInvoice(number, options));
  command
    .command('cancel <number>')
    .description('set the invoice to cancelled; this status is final')
    .requiredOption('--reason <text>', 'Landlord records this reason, also in the audit of the tenant')
    .action(async (number: string, options: { reason: string }) => (await invoices()).cancelInvoice(number, options));
  return command;
}

function monthsCommand(): Command {
  const command = new Command('months').description('list closed billing months');
  withJson(command.command('list'))
    .description('list closed months, newest first, with the invoiced amounts')
    .action(async (options: object) => (await invoices()).listMonths(options));
  return command;
}

function keysCommand(): Command {
  const command = new Command('keys').description('list, issue and revoke API keys of any tenant');
  withJson(command.command('list'))
    .description('list the keys of a tenant, without their secrets')
    .requiredOption('--tenant <id>', 'the id of the tenant', integer)
    .action(async (options: { tenant: number }) => (await keys()).listKeys(options));
  withJson(command.command('issue'))
    .description('create a key that acts for the owner of the tenant, and print its secret once')
    .requiredOption('--tenant <id>', 'the id of the tenant', integer)
    .option('--role <name>', 'a role of the tenant', 'owner')
    .option('--name <name>', 'the name of the key', 'operator')
    .option('--days <days>', 'the lifetime of the key, 1 to 365 days', integer, 90)
    .action(async (options: { tenant: number; role: string; name: string; days: number }) =>
      (await keys()).issueKey(options),
    );
  byId(command, 'revoke')
    .description('delete a key; the APIs refuse it from the next request on')
    .action(async (id: number) => (await keys()).revokeKey(id));
  return command;
}

function cellsCommand(): Command {
  const command = new Command('cells').description(
    'list cells, stop or allow new deployments in a cell, and forget a cell',
  );
  withJson(command.command('list'))
    .description('list all cells')
    .action(async (options: object) => (await placement()).listCells(options));
  command
    .command('drain <cell>')
    .description('stop new deployments in the cell; existing deployments continue')
    .action(async (cell: string) => (await placement()).drainCell(cell));
  command
    .command('resume <cell>')
    .description('allow new deployments in the cell again')
    .action(async (cell: string) => (await placement()).resumeCell(cell));
  command
    .command('forget <cell>')
    .description('remove a cell whose Supervisor is gone for good; it must have no deployments and no machines')
    .action(async (cell: string) => (await placement()).forgetCell(cell));
  return command;
}

function nodesCommand(): Command {
  const command = new Command('nodes').description('list nodes of all deployments, stop and start their brokers');
  withJson(command.command('list'))
    .description('list nodes with their last reported status')
    .option('--deployment <id>', 'the id of the deployment', integer)
    .option('--cell <cell>', 'the name of the cell')
    .option('--status <status>', 'such as running, stopped or unreachable')
    .action(async (options: object) => (await placement()).listNodes(options));
  byId(command, 'drain')
    .description('stop the broker of a node cleanly and keep it stopped')
    .action(async (id: number) => (await placement()).drainNode(id));
  byId(command, 'resume')
    .description('allow the broker of a node to run again')
    .action(async (id: number) => (await placement()).resumeNode(id));
  return command;
}

function resourcesCommand(): Command {
  const command = new Command('resources').description('list the cloud resources of all deployments');
  withJson(command.command('list'))
    .description('list resources with their driver, their place and the last refusal of the provider')
    .option('--deployment <id>', 'the id of the deployment', integer)
    .option('--refused', 'only resources whose last call the provider refused')
    .option('--limit <count>', 'the maximum number of rows', integer, 200)
    .action(async (options: { limit: number }) => (await placement()).listResources(options));
  return command;
}

const collect = (entry: string, collected: string[]): string[] => [...collected, entry];

function month(text: string): string {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(text)) throw new InvalidArgumentError('The month must have the form 2026-10.');
  return text;
}
