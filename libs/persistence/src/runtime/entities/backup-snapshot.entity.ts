import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The archive of one node in a backup. */
@Entity('backup_snapshots')
export class BackupSnapshot {
  @PrimaryColumn('bigint')
  backup_id: number;

  @PrimaryColumn('bigint')
  node_id: number;

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
