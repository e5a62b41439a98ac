import {
  CONNECTOR_INSTANCE_STATUSES,
  CONNECTOR_TYPES,
  type ConnectorInstanceStatus,
  type ConnectorType,
} from '@libs/domain';
import { CONNECTOR_RUNTIMES, type ConnectorRuntime } from '@libs/broker-config';
import { ApiNullableText, ApiId, Resource } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

/** An instance of a connector, as the catalogue shows it. */
export class ActivatedInstanceView {
  @ApiId('The instance.')
  id: number;

  /** Unique within the deployment. */
  key: string;

  name: string;

  /**
   * `pending`: not started yet. `active`: running. `inactive`: the configuration disables the instance. `failed`:
   * stopped by an error.
   */
  @ApiProperty({ enum: [...CONNECTOR_INSTANCE_STATUSES] })
  status: ConnectorInstanceStatus;
}

/** A connector of the catalogue for one deployment (C-18.3). */
@Resource<ConnectorView>({
  columns: ['type', 'key', 'name', 'version', 'available', 'permitted', 'activated_instances', 'unavailable_reason'],
})
export class ConnectorView {
  /** Unique within the type of the connector. */
  key: string;

  /** `source`: writes to the broker. `sink`: reads from the broker. */
  @ApiProperty({ enum: [...CONNECTOR_TYPES] })
  type: ConnectorType;

  name: string;

  description: string;

  /** SemVer. */
  version: string;

  /**
   * `plugin`: iggy-connectors runs the connector, by a library of Apache Iggy. `landlord`: Landlord's own connectors process
   * runs it.
   */
  @ApiProperty({ enum: [...CONNECTOR_RUNTIMES] })
  runtime: ConnectorRuntime;

  /** True when the nodes of the deployment have the connector. */
  available: boolean;

  @ApiNullableText('Why the connector is not available.')
  unavailable_reason: string | null;

  /** True when the plan includes the connector. */
  permitted: boolean;

  @ApiProperty({
    type: [ActivatedInstanceView],
    description: 'Instances of the connector, in the order of their activation.',
  })
  activated_instances: ActivatedInstanceView[];
}

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

  @ApiId('The first configuration of the instance. It is disabled.')
  config_id: number;
}
