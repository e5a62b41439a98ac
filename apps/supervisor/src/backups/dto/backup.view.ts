import { ApiNullableInteger, ApiNullableText, ApiNullableTime, ApiTime, ApiId, Resource } from '@libs/http';
import { BACKUP_STATUSES, BACKUP_TYPES, type BackupStatus, type BackupType } from '@libs/persistence/runtime';
import { ApiProperty } from '@nestjs/swagger';

/** A backup: the data of nodes, for each node from one point in time (C-19.2). */
@Resource<BackupView>({
  id: 'backup_id',
  namedBy: 'name',
  columns: ['id', 'name', 'status', 'backup_type', 'size_bytes', 'created_at', 'expires_at', 'region'],
})
export class BackupView {
  @ApiId('The backup.')
  id: number;

  @ApiId('Id of the deployment.')
  deployment_id: number;

  @ApiNullableInteger('The node, when only one is included. Null for all nodes.')
  node_id: number | null;

  name: string;

  /** Why the backup was taken. `pre_upgrade`: before an upgrade of the hardware. */
  @ApiProperty({ enum: [...BACKUP_TYPES] })
  backup_type: BackupType;

  /** State of the backup. Only a `completed` backup can be restored. */
  @ApiProperty({ enum: [...BACKUP_STATUSES] })
  status: BackupStatus;

  @ApiProperty({
    type: [String],
    description: 'Ids of the volume snapshots, one for each node. Empty until the backup is completed.',
  })
  snapshot_ids: string[];

  @ApiProperty({ type: [String], description: 'The volumes they are of, in the same order.' })
  volume_ids: string[];

  @ApiProperty({ type: 'integer', format: 'int64', description: 'Bytes that are stored.' })
  size_bytes: number;

  /** Region of the stored backup: the region of the deployment. */
  region: string;

  /** Notes for people. Null for none. */
  @ApiNullableText()
  remarks: string | null;

  /** Time at which the backup started. Null until then. */
  @ApiNullableTime()
  started_at: string | null;

  @ApiNullableTime('Time at which the backup completed or failed.')
  completed_at: string | null;

  @ApiTime('Time at which the backup is deleted automatically.')
  expires_at: string;

  @ApiTime()
  created_at: string;
}
