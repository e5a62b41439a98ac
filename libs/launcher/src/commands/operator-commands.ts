import { Command, Option } from 'commander';
import { backupCommand } from './backup-command.js';
import { machinesCommand } from './machines-command.js';
import { opsCommand } from './ops-command.js';

interface DoctorOptions {
  cloud?: string;
  json?: boolean;
  region?: string;
  installation?: string;
  policy?: boolean;
}

/** The verbs for operators, in addition to those that run Landlord. */
export function operatorCommands(): Command[] {
  return [
    new Command('doctor')
      .description('check everything that the installation needs; change nothing')
      .option('--json', 'print the findings as JSON')
      .addOption(
        new Option('--cloud <cloud>', "check the operator's own account at this cloud instead").choices(['aws', 'gcp']),
      )
      .option('--region <region>', 'with --cloud: the region (default: AWS_REGION)')
      .option(
        '--installation <name>',
        'with --cloud: the name of the installation (default: from the running database)',
      )
      .option('--policy', 'with --cloud: only print the permissions that the account needs')
      .action(async ({ cloud, ...options }: DoctorOptions) => {
        if (cloud === undefined) return (await import('../operator/doctor/doctor.js')).doctor(options);
        return (await import('../operator/doctor/doctor-cloud.js')).doctorOfCloud(cloud, options);
      }),
    opsCommand(),
    machinesCommand(),
    backupCommand(),
    new Command('restore')
      .argument('[backup]', 'its directory, or s3://bucket/prefix/name?region=…')
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
