import { Command } from 'commander';
import { withCommonOptions, type AnyOptions } from '../common-options.js';
import { CommandError, EXIT, usage } from '../exit.js';
import { printEvents } from '../output/events.js';
import { cell } from '../output/table.js';
import { openSession, type Session } from '../settings/session.js';

export const eventsCommand = (): Command =>
  withCommonOptions(
    new Command('events')
      .description('Prints the events of an operation, and follows the operation until it ends.')
      .argument('[operation]', 'the id; default: the newest operation, with -d of this deployment'),
  ).action(follow);

async function follow(given: string | undefined, options: AnyOptions): Promise<void> {
  const session = openSession(options);
  const id = given === undefined ? await newest(session, options) : idIn(given);
  const open = (signal: AbortSignal) => session.landlord.operation(id).events({ signal });
  await printEvents(open, options.output, ({ at, step, status, detail }) =>
    [at, status.padEnd(9), step, ...(detail === null ? [] : [cell(detail)])].join(' '),
  );
}

async function newest({ landlord, places }: Session, { deployment }: AnyOptions): Promise<number> {
  const { deployment_id } = deployment === undefined ? {} : await places.find('deployment');
  const { items } = await landlord.operations.list({
    results: 1,
    ...(deployment_id !== undefined && { deployment: deployment_id }),
  });
  const [operation] = items;
  if (operation === undefined)
    throw new CommandError('There is no operation.', EXIT.notFound, 'landlord operations list');
  return operation.id;
}

function idIn(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw usage(`"${text}" is not the id of an operation.`, 'landlord operations list');
}
