import { ApiId } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

/** What tells about the health of a deployment at one time (C-20.2). */
export class SnapshotView {
  @ApiId('The snapshot.')
  id: number;

  @ApiId('Its organization.')
  tenant_id: number;

  @ApiId('Its division.')
  division_id: number;

  @ApiId('Its environment.')
  environment_id: number;

  @ApiId('Its deployment.')
  deployment_id: number;

  @ApiProperty({ type: 'integer', format: 'int64', nullable: true, description: 'Its one node; null: every node.' })
  node_id: number | null;

  /** What the deployment was called then. */
  deployment_name: string;

  /** The name of the deployment and the time, in UTC. */
  name: string;

  @ApiProperty({ enum: ['processing', 'completed'] })
  status: 'processing' | 'completed';

  @ApiProperty({ type: 'string', format: 'date-time' })
  created_at: string;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  completed_at: string | null;
}

/** Where an archive is fetched from. */
export class SnapshotDownloadView {
  @ApiProperty({ type: 'string', format: 'uri', description: 'Of a ZIP; good for five minutes, without a key.' })
  url: string;
}
