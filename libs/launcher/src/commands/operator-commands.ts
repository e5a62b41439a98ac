import { Command } from 'commander';
import { opsCommand } from './ops-command.js';

/** The verbs for operators, in addition to those that run Landlord. */
export function operatorCommands(): Command[] {
  return [
    new Command('doctor')
      .description('look at everything that an installation stands on; change nothing')
      .option('--json', 'the findings as JSON')
      .action(async (options: object) => (await import('../operator/doctor/doctor.js')).doctor(options)),
    opsCommand(),
    new Command('backup')
      .argument('<directory>', 'new or empty')
      .description('copy the running embedded database, while everything goes on')
      .option('--with-keys', 'the secret keys, too: without them a backup is worthless')
      .action(async (directory: string, options: object) =>
        (await import('../operator/backup.js')).backup(directory, options),
      ),
    new Command('restore')
      .argument('[directory]', 'of a backup')
      .description('put a backup in the place of the embedded database, which is kept beside it')
      .option('--external', 'only what must follow a pg_restore into DATABASE_URL')
      .action(async (directory: string | undefined, options: object) =>
        (await import('../operator/restore.js')).restore(directory, options),
      ),
    new Command('rekey')
      .description('seal every secret at rest with the first of the secret keys')
      .option('--json', 'counts as JSON')
      .action(async (options: object) => (await import('../operator/rekey.js')).rekey(options)),
  ];
}
