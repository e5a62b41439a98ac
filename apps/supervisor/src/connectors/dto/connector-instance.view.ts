import {
  CONNECTOR_INSTANCE_STATUSES,
  CONNECTOR_TYPES,
  type ConnectorInstanceStatus,
  type ConnectorType,
} from '@libs/domain';
import { ApiId } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

/** An instance of a connector that is activated on a deployment (C-18.2). */
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

  @ApiProperty({ type: 'string', nullable: true, description: 'Why the instance failed.' })
  status_reason: string | null;

  /** Time since which the instance has this status. */
  @ApiProperty({ type: 'string', format: 'date-time' })
  status_since: string;

  /** SemVer of the plugin. */
  version: string;

  @ApiId('The configuration that the instance runs with.')
  config_id: number;

  @ApiProperty({ type: 'string', format: 'date-time' })
  created_at: string;
}
