/** A backup that was promised whole, and what the deployment had kept until then. */
export interface KeptBackup {
  id: number;
  /** What was left before it on the topic that every restore is judged by; null: nothing. */
  later: string | null;
}

/** A deployment that was promised by a 2xx, and what became of the promise. */
export interface Promised {
  id: number;
  name: string;
  isCluster: boolean;
  /** Accepted for deletion. */
  isDeleted: boolean;
  /** Its broker acknowledged a message to keep. */
  hasMessage: boolean;
  /** GB per node, as the last accepted upgrade has it. */
  storage: number;
  /** Accepted ones. */
  upgrades: number;
  /** Accepted ones. */
  rotations: number;
  /** Told completed. */
  backups: KeptBackup[];
  /** The last message left before a backup or restore, as far as the deployment must hold it; null: none. */
  later: string | null;
  /** Ids of its instances of connectors, oldest first. */
  connectors: number[];
  /** Ids of its peerings, endpoint services and attachments, oldest first. */
  privateConnections: number[];
}
