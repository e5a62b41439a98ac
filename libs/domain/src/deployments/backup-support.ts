/** What decides whether a deployment can be backed up. */
export interface BackupSetup {
  cloud: string;
  storage_type: string;
}

/** Backups are of volumes that outlive their machine (C-19.1): on aws, with network storage. */
export const canBeBackedUp = ({ cloud, storage_type: storage }: BackupSetup): boolean =>
  cloud === 'aws' && storage === 'network_balanced';
