import { ApiTime } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

const percent = (of: string) =>
  ApiProperty({
    type: 'number',
    nullable: true,
    description: `${of}, average over the reachable nodes; null when none of them tells.`,
  });

/** The number of deployments, in total and by status. */
export class DeploymentHealthView {
  /** Number of deployments. */
  @ApiProperty({ type: 'integer' })
  total: number;

  @ApiProperty({ type: 'object', additionalProperties: { type: 'integer' }, description: 'Deployments by status.' })
  by_status: Record<string, number>;
}

/** The number of reachable and unreachable nodes. */
export class NodeHealthView {
  @ApiProperty({ type: 'integer', description: 'Number of nodes, including nodes that have never reported.' })
  total: number;

  /** Nodes that reported recently. */
  @ApiProperty({ type: 'integer' })
  reachable: number;

  @ApiProperty({ type: 'integer', description: 'Nodes that reported earlier, but not recently.' })
  unreachable: number;
}

/** The health of the deployments of this cell that the caller may see (C-8.12). */
export class HealthSummaryView {
  /** The number of deployments. */
  @ApiProperty({ type: DeploymentHealthView })
  deployments: DeploymentHealthView;

  /** The number of nodes. */
  @ApiProperty({ type: NodeHealthView })
  nodes: NodeHealthView;

  @percent('CPU, in percent of one core')
  cpu_percent: number | null;

  @percent('Memory, in percent of what the compute size has')
  memory_percent: number | null;

  @percent('Disk, in percent of the volume')
  disk_percent: number | null;

  /** Time at which the summary was computed. */
  @ApiTime()
  generated_at: string;
}
