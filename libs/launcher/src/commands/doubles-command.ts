import { Command } from 'commander';

// Loaded when it is used, so that `start` is fast.
const doubles = () => import('../operator/doubles-verbs.js');

/** `landlord ops doubles` */
export function doublesCommand(): Command {
  const command = new Command('doubles').description(
    'list accounts, invitations and names that differ in spelling only',
  );
  command
    .command('list')
    .option('--json', 'print JSON')
    .description('list all of them')
    .action(async (options: object) => (await doubles()).listDoubles(options));
  return command;
}
