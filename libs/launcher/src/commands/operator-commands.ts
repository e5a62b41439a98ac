import { Command } from 'commander';
import { machinesCommand } from './machines-command.js';
import { opsCommand } from './ops-command.js';

/** The verbs for operators, in addition to those that run Landlord. */
export function operatorCommands(): Command[] {
  return [
    new Command('doctor')
      .description('check everything that the installation needs; change nothing')
      .option('--json', 'print the findings as JSON')
      .action(async (options: object) => (await import('../operator/doctor/doctor.js')).doctor(options)),
    opsCommand(),
    machinesCommand(),
    new Command('backup')
      .argument('<directory>', 'a new or empty directory')
      .description('copy the running embedded database without a stop')
      .option('--with-keys', 'include the secret keys; a restore needs the keys')
      .action(async (directory: string, options: object) =>
        (await import('../operator/backup.js')).backup(directory, options),
      ),
    new Command('restore')
      .argument('[directory]', 'the directory of a backup')
      .description('replace the embedded database with a backup; keep the previous database in the data directory')
      .option('--external', 'only complete a restore after pg_restore into DATABASE_URL')
      .action(async (directory: string | undefined, options: object) =>
        (await import('../operator/restore.js')).restore(directory, options),
      ),
    new Command('rekey')
      .description('encrypt all stored secrets with the first secret key')
      .option('--json', 'print the counts as JSON')
      .action(async (options: object) => (await import('../operator/rekey.js')).rekey(options)),
  ];
}
