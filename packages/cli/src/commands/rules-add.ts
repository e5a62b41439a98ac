import { Command } from 'commander';
import { withCommonOptions, type AnyOptions } from '../common-options.js';
import { ConflictError, type Landlord } from '@landlord/sdk';
import { CommandError, EXIT, usage } from '../exit.js';
import { print } from '../output/output.js';
import { timeOfInstallation } from '../settings/clock.js';
import { durationMs } from '../settings/duration.js';
import { openSession } from '../settings/session.js';

const PROTOCOLS = ['tcp', 'http', 'websocket', 'udp'] as const;
const MS_OF_HOUR = 3_600_000;
/** A hundred years. */
const MOST_HOURS = 876_000;
const UNLESS_NAMED = ['tcp', 'http', 'websocket'];

export const addCommand = (): Command =>
  withCommonOptions(
    new Command('add')
      .description('Opens the deployment to addresses. Every node enforces the rule within a second.')
      .argument('[cidrs...]', 'such as 203.0.113.0/24')
      .option('--my-ip', 'your own address, as the Supervisor sees the address')
      .option('--name <name>', 'the name of the rule; default: the first address, such as 203.0.113.0-24')
      .option('--protocols <protocols>', `of ${PROTOCOLS.join(', ')}`, UNLESS_NAMED.join(','))
      .option('--for <duration>', 'the rule ends after this time, such as 2h or 30m; a number is hours'),
  ).action((cidrs: string[], options: AnyOptions) => add(cidrs, options));

async function add(given: string[], options: AnyOptions): Promise<void> {
  const { landlord, places } = openSession(options);
  const protocols = String(options['protocols']).split(',');
  const unknown = protocols.filter((one) => !(PROTOCOLS as readonly string[]).includes(one));
  if (unknown.length > 0) throw usage(`There is no protocol ${unknown.join(', ')}.`, `of ${PROTOCOLS.join(', ')}`);
  const isMine = options['myIp'] === true;
  if (given.length === 0 && !isMine) throw usage('Name the addresses.', 'such as 203.0.113.0/24, or --my-ip');
  const forMs = timeIn(options['for'] as string | undefined);
  const { deployment_id = 0 } = await places.find('deployment');
  const cidrs = [...given, ...(isMine ? [await ownCidr(landlord, deployment_id)] : [])];
  const rules = Object.fromEntries(PROTOCOLS.map((one) => [`broker_${one}`, protocols.includes(one)]));
  const name = (options['name'] as string | undefined) ?? nameOf(cidrs[0] ?? '');
  const valid_to = forMs === undefined ? undefined : endAfter(forMs);
  const rule = {
    deployment_id,
    name,
    cidr_blocks: cidrs,
    rules: rules as never,
    ...(valid_to !== undefined && { valid_to }),
  };
  await print(await created(landlord, rule, await places.wordFor(deployment_id)), options.output);
}

type Rule = Parameters<Landlord['accessRules']['create']>[0];

/** @throws CommandError for a name that another rule has, with what to do */
async function created({ accessRules }: Landlord, rule: Rule, word: string): Promise<object> {
  try {
    return await accessRules.create(rule);
  } catch (error) {
    if (!(error instanceof ConflictError) || !/\bname\b/i.test(error.message)) throw error;
    throw new CommandError(
      error.message,
      EXIT.conflict,
      `add --name <another name>, or landlord rules delete '${rule.name}' -d ${word}`,
    );
  }
}

/** A name has no slash. One address needs no length of its prefix. */
const nameOf = (cidr: string): string => cidr.replace(/\/32$/, '').replace('/', '-');

async function ownCidr({ accessRules }: Landlord, deployment_id: number): Promise<string> {
  const { address, cidr } = await accessRules.getCaller({ deployment_id });
  if (cidr !== null) return cidr;
  throw new CommandError(
    `Your address is ${address}, and rules have IPv4 addresses only.`,
    EXIT.refused,
    'name an IPv4 address',
  );
}

function timeIn(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const hours = Number(text);
  if (hours > 0 && hours <= MOST_HOURS) return hours * MS_OF_HOUR;
  const ms = durationMs(text);
  if (ms !== null && ms > 0) return ms;
  throw usage(`--for must be a duration such as 2h, or a number of hours from 0 to ${MOST_HOURS}, and is "${text}".`);
}

/** By the clock of the installation, which ends the rule. The clock of this machine can be wrong. */
const endAfter = (ms: number): string => new Date(timeOfInstallation() + ms).toISOString();
