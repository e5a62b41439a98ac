import { Command } from 'commander';

/** `landlord backup`: a copy of the embedded database, and its proof. */
export const backupCommand = (): Command =>
  new Command('backup')
    .argument('[directory]', 'a new or empty directory')
    .description('copy the running embedded database without a stop')
    .option('--with-keys', 'include the secret keys; a restore needs the keys')
    .option('--to <place>', 'a directory or s3://bucket/prefix?region=… for several backups')
    .option('--keep <count>', 'with --to: how many backups of this installation stay there')
    .action(async (directory: string | undefined, options: object) =>
      (await import('../operator/backup.js')).backup(directory, options),
    )
    .addCommand(
      new Command('verify')
        .argument('<backup>', 'its directory, or s3://bucket/prefix/name?region=…')
        .description('restore a backup into a PostgreSQL of its own, read every row, and remove everything')
        .action(async (address: string) => (await import('../operator/verify-backup.js')).verifyBackup(address)),
    );
