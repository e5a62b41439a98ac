/** The properties that decide whether a deployment can be backed up. */
export interface BackupCriteria {
  cloud: string;
  storage_type: string;
}

/** Backups need volumes that outlive their machine (C-19.1): aws with network storage. */
export const canBeBackedUp = ({ cloud, storage_type: storage }: BackupCriteria): boolean =>
  cloud === 'aws' && storage === 'network_balanced';
