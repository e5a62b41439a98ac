#!/usr/bin/env node
import { StartRefused } from '@libs/domain/starts';
import { Command, Option } from 'commander';
import { operatorCommands } from './commands/operator-commands.js';
import type { DemoPlace } from './demo/demo-deployment.js';
import { HostError } from '@libs/host/os';
import { LauncherError } from './launcher-error.js';

// Each verb is loaded on use. The verbs that need no database start in a third of the time.

const program = new Command('landlord').description('Landlord: a self-hosted cloud for a message-streaming broker.');
program
  .command('start')
  .description('run the database, the main API and the Supervisor until you press Ctrl-C')
  .action(async () => (await import('./verbs/start.js')).start());
program
  .command('upgrade')
  .description('start this release in place of the running one, and leave brokers and their clients alone')
  .action(async () => (await import('./verbs/upgrade.js')).upgrade());
program
  .command('demo')
  .description('create a Free deployment, send a message to its broker, and delete the deployment')
  .addOption(new Option('--cloud <cloud>', 'the cloud of the deployment').choices(['aws', 'gcp']).default('aws'))
  .action(async ({ cloud }: { cloud: DemoPlace }) => (await import('./verbs/demo.js')).demo(cloud));
program
  .command('migrate')
  .description('migrate the database to this release')
  .action(async () => (await import('./verbs/migrate.js')).migrate());
for (const command of operatorCommands()) program.addCommand(command);

const words = process.argv.slice(2);
const isOfOperators = program.commands.some(
  (command) => command.name() === words.find((word) => !word.startsWith('-')),
);

try {
  // Everything else is for users.
  if (!isOfOperators) process.exit(await (await import('./verbs/users.js')).runForUsers(words, program.commands));
  await program.parseAsync();
  // Idle connections of health checks would keep the process running for some seconds.
  process.exit(0);
} catch (error) {
  // These errors have a complete message. Any other error is a bug and is printed with its stack.
  const isExplained = error instanceof HostError || error instanceof StartRefused;
  console.error(isExplained ? error.message : error);
  process.exit(error instanceof LauncherError || error instanceof StartRefused ? error.exitCode : 1);
}
