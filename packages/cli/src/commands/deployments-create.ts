import { Command } from 'commander';
import { withCommonOptions, withWait, type AnyOptions } from '../common-options.js';
import { usage } from '../exit.js';
import { runVerb } from '../generated-command.js';
import { camel } from '../members-of-verb.js';
import { VERBS } from '../generated/verbs.js';
import { tellClients } from '../output/no-rule.js';
import { isForPeople, tell } from '../output/output.js';
import { openSession } from '../settings/session.js';
import type { Verb } from '../verb.js';

/** Options that only some kinds have. */
const OF_SOME_KINDS = [
  ...['tier', 'managed-tier', 'cluster', 'storage-type', 'storage-size'],
  ...['restore-from-deployment-id', 'restore-from-backup-id'],
];
const KINDS = ['starter', 'managed', 'byoc'] as const;

/** One command for the three kinds of deployments: the commands `create-starter`, `create-managed` and `create-byoc` have all options. */
export const createCommand = (): Command =>
  withCommonOptions(withWait(commandOfKinds(), 'wait until clients can connect')).action(create);

const commandOfKinds = (): Command =>
  new Command('create')
    .description(
      'Creates a deployment. "create-starter", "create-managed" and "create-byoc" show all options of a kind.',
    )
    .option('--starter', 'a Free deployment with one node')
    .option('--managed', 'a deployment in the accounts of the installation')
    .option('--byoc', 'a deployment in your own account')
    .option('--cloud <cloud>', 'aws or gcp', 'aws')
    .option('--region <region>', 'a region of the cloud', 'us-east-1')
    .option('--name <name>', 'the name of the deployment')
    .option('--tier <tier>', 'the size of each node')
    .option('--managed-tier <tier>', 'the commercial terms: standard, performance or enterprise')
    .option('--cluster <cluster>', 'cluster or standalone')
    .option('--storage-type <type>', 'the storage of each node')
    .option('--storage-size <number>', 'the size of the storage of each node in GB')
    .option(
      '--restore-from-deployment, --restore-from-deployment-id <name or id>',
      'start with the data of this deployment',
    )
    .option('--restore-from-backup, --restore-from-backup-id <name or id>', 'the backup of that deployment')
    .option('--body <json>', 'other members of the request as JSON, "@file", or "-" for stdin')
    .option('--idempotency-key <key>', 'the same key creates nothing twice; default: a new key')
    .option('--dry-run', 'show the result and its price, and create nothing');

async function create(options: AnyOptions): Promise<void> {
  const answer = await runVerb(verbOf(options), [], named(options));
  if (!options.wait || options.dryRun) return;
  const { deployment_id } = answer as { deployment_id: number };
  const { landlord, places } = openSession(options);
  const word = await places.wordFor(deployment_id);
  // A Free deployment has an access rule from the start.
  if (!options.starter) tellClients(await landlord.runtime.get({ deployment_id }), word);
  if (isForPeople(options.output)) tell(`${word} is ready. Next: landlord deployments connect ${word}`);
}

function verbOf(options: AnyOptions): Verb {
  const kinds = KINDS.filter((kind) => options[kind] === true);
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1)
    throw usage('Name one kind of deployment.', '--starter, --managed or --byoc');
  const verb = VERBS['deployments']?.().find(({ name }) => name === `create-${kind}`);
  if (!verb) throw new TypeError(`There is no command create-${kind}.`);
  const unusable = OF_SOME_KINDS.filter(
    (name) => options[camel(name)] !== undefined && !verb.options.some((one) => one.name === name),
  );
  if (unusable.length > 0) throw usage(`A ${kind} deployment has no --${unusable.join(', --')}.`);
  return verb;
}

/** A starter has its name in another member. */
const named = (options: AnyOptions): AnyOptions => ({ ...options, deploymentName: options['name'] });
