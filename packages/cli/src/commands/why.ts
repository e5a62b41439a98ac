import { Command } from 'commander';
import { withCommonOptions, type AnyOptions } from '../common-options.js';
import { isForPeople, print, tell } from '../output/output.js';
import { plain } from '../output/plain-text.js';
import type { PlaceIds, Places } from '../settings/places.js';
import { openSession } from '../settings/session.js';
import { healthOf, type Health } from '../why/health.js';
import { logLine } from './logs-stream.js';

export const whyCommand = (): Command =>
  withCommonOptions(
    new Command('why')
      .description(
        'Says why a deployment does not work: from its status, its nodes, its last operations, and the last warnings and errors of its logs.',
      )
      .argument('[deployment]', 'the name or the id; default: the only one'),
  ).action(why);

async function why(name: string | undefined, options: AnyOptions): Promise<void> {
  const { landlord, places } = openSession(options);
  const ids = await places.find('deployment', name ?? options.deployment);
  const health = await healthOf({ landlord, options: {} }, ids as Required<PlaceIds>);
  if (!isForPeople(options.output)) return print(health, options.output);
  const lines = health.logs?.items.toReversed().map((line) => `  ${logLine(line)}`) ?? [];
  for (const line of [...health.findings.map((one) => plain(one)), ...lines]) process.stdout.write(`${line}\n`);
  tell(`Next: ${await nextOf(health, places, ids)}`);
}

/** The command that shows more. */
async function nextOf({ operations }: Health, places: Places, { deployment_id = 0 }: PlaceIds): Promise<string> {
  const open = operations?.items.find(({ status }) => status !== 'succeeded');
  return open ? `landlord events ${open.id}` : `landlord logs -f -d ${await places.wordFor(deployment_id)}`;
}
