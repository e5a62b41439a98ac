#!/usr/bin/env node
import { BootstrapKeyInvalid } from '@libs/persistence/migrations';
import { Command } from 'commander';
import { operatorCommands } from './commands/operator-commands.js';
import { LauncherError } from './launcher-error.js';
import { migrate } from './verbs/migrate.js';
import { start } from './verbs/start.js';

const program = new Command('landlord').description('Landlord: a self-hosted cloud for a message-streaming broker.');
program
  .command('start')
  .description('run the database, the main API and the Supervisor until you press Ctrl-C')
  .action(start);
program
  .command('demo')
  .description('create a Free deployment, send a message to its broker, and delete the deployment')
  // Loaded on use, so that `start` does not wait for the MQTT client.
  .action(async () => (await import('./verbs/demo.js')).demo());
program.command('migrate').description('migrate the database to this release').action(migrate);
for (const command of operatorCommands()) program.addCommand(command);

try {
  await program.parseAsync();
  // Idle connections of health checks would keep the process running for some seconds.
  process.exit(0);
} catch (error) {
  console.error(isForThePerson(error) ? error.message : error);
  process.exit(1);
}

/** Problems with a complete message. Any other error is a bug and is printed with its stack. */
function isForThePerson(error: unknown): error is Error {
  return error instanceof LauncherError || error instanceof BootstrapKeyInvalid;
}
