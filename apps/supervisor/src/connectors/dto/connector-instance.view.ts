import {
  CONNECTOR_INSTANCE_STATUSES,
  CONNECTOR_TYPES,
  type ConnectorInstanceStatus,
  type ConnectorType,
} from '@libs/domain';
import { ApiNullableText, ApiTime, ApiId, Resource } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

/** What an instance has moved, by the last report of its node (C-18.12). */
export class ConnectorMetricsView {
  @ApiProperty({ type: 'integer', description: 'Messages that were moved since the activation.' })
  moved: number;

  @ApiProperty({ type: 'integer', description: 'Messages that the destination refused for good since the activation.' })
  failed: number;

  @ApiProperty({ type: 'integer', description: 'Messages that the node has received and not delivered yet.' })
  lag: number;

  @ApiProperty({ type: 'integer', description: 'Refused messages that the node keeps.' })
  dead_letters: number;

  @ApiProperty({ type: 'integer', description: 'Refused messages that the limits of the node have dropped.' })
  dead_letters_dropped: number;

  @ApiNullableText(
    'The failure that no success has ended yet, or else the last refusal of a message. With Apache Iggy: the last error that the plugin ' +
      'wrote since its start.',
  )
  last_error: string | null;
}

/** An instance of a connector that is activated on a deployment (C-18.2). */
@Resource<ConnectorInstanceView>({
  id: 'connector_instance_id',
  namedBy: 'key',
  columns: [
    'id',
    'key',
    'connector_type',
    'connector_key',
    'status',
    'status_since',
    'version',
    'config_id',
    'status_reason',
  ],
})
export class ConnectorInstanceView {
  @ApiId('The instance.')
  id: number;

  @ApiId('The deployment.')
  deployment_id: number;

  /** `source`: writes to the broker. `sink`: reads from the broker. */
  @ApiProperty({ enum: [...CONNECTOR_TYPES] })
  connector_type: ConnectorType;

  /** Key of the connector in the catalogue. */
  connector_key: string;

  name: string;

  /** Unique within the deployment. Configurations of the instance carry this name. */
  key: string;

  /**
   * `pending`: not started yet. `active`: running. `inactive`: the configuration disables the instance. `failed`:
   * stopped by an error.
   */
  @ApiProperty({ enum: [...CONNECTOR_INSTANCE_STATUSES] })
  status: ConnectorInstanceStatus;

  @ApiNullableText('Why the instance failed.')
  status_reason: string | null;

  /** Time since which the instance has this status. */
  @ApiTime()
  status_since: string;

  /** SemVer of the plugin. */
  version: string;

  @ApiId('The configuration that the instance runs with.')
  config_id: number;

  @ApiProperty({
    type: ConnectorMetricsView,
    nullable: true,
    description: 'What the instance has moved. Null before the first report of its node.',
  })
  metrics: ConnectorMetricsView | null;

  @ApiTime()
  created_at: string;
}
