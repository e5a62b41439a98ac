import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { BackupId, NodeId } from '@libs/domain';

/** The data of one node in a backup. */
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

  /** Of the archive in the object store. Null: the data is the snapshot at the provider. */
  @Column('text', { nullable: true })
  object_key: string | null;

  /** Of the archive, or of the list of its files at the provider. */
  @Column('text')
  sha256: string;

  @Column('bigint')
  size_bytes: number;
}
