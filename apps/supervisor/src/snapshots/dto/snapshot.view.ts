import { ApiNullableInteger, ApiNullableTime, ApiTime, ApiId, Resource } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

/** A diagnostic snapshot: data about the health of a deployment at one time (C-20.2). */
@Resource<SnapshotView>({
  id: 'snapshot_id',
  namedBy: 'name',
  columns: ['id', 'name', 'status', 'node_id', 'created_at', 'completed_at'],
})
export class SnapshotView {
  @ApiId('The snapshot.')
  id: number;

  @ApiId('Id of the organization.')
  tenant_id: number;

  @ApiId('Id of the division.')
  division_id: number;

  @ApiId('Id of the environment.')
  environment_id: number;

  @ApiId('Id of the deployment.')
  deployment_id: number;

  @ApiNullableInteger('The node, when only one is included. Null for all nodes.')
  node_id: number | null;

  /** Name of the deployment at that time. */
  deployment_name: string;

  /** The name of the deployment and the time, in UTC. */
  name: string;

  /** `processing`: the nodes are still reporting. `completed`: the archive can be downloaded. */
  @ApiProperty({ enum: ['processing', 'completed'] })
  status: 'processing' | 'completed';

  @ApiTime()
  created_at: string;

  /** Time at which the snapshot was completed. Null until then. */
  @ApiNullableTime()
  completed_at: string | null;
}

/** The address of the archive of a diagnostic snapshot. */
export class SnapshotDownloadView {
  @ApiProperty({
    type: 'string',
    format: 'uri',
    description: 'Address of a ZIP archive. The address works for five minutes and needs no key.',
  })
  url: string;
}
