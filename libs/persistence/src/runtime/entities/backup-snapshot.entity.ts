import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { BackupId, NodeId } from '@libs/domain';

/** The archive of one node in a backup. */
@Entity('backup_snapshots')
export class BackupSnapshot {
  @PrimaryColumn('bigint')
  backup_id: BackupId;

  @PrimaryColumn('bigint')
  node_id: NodeId;

  /** The id at the provider. */
  @Column('text')
  snapshot_id: string;

  @Column('text')
  volume_id: string;

  @Column('text')
  object_key: string;

  @Column('text')
  sha256: string;

  @Column('bigint')
  size_bytes: number;
}
