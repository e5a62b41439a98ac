import { CLUSTER_KINDS, type ClusterKind } from '@libs/catalog';
import {
  Clearable,
  ClearableText,
  Example,
  IsFlag,
  IsId,
  IsName,
  IsOneOf,
  IsText,
  IsUsd,
  Nested,
  Optional,
} from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';
import { ShapeDto } from './shape.dto.js';

/** The retention of telemetry of a deployment. */
export class RetentionDto {
  @ApiProperty({
    type: 'integer',
    minimum: 1,
    description: 'Days of metrics, logs and heartbeats. At most the days of the managed tier.',
  })
  @IsInt()
  @Min(1)
  @Max(3650)
  telemetry_days: number;
}

/** A backup of another deployment of the tenant. */
export class RestoreFromDto {
  @IsId('The deployment that was backed up.')
  deployment_id: number;

  @IsId('Its completed backup.')
  backup_id: number;
}

/** A new managed deployment (C-12.10). */
@Example<CreateManagedDto>({
  name: 'orders',
  cloud: 'aws',
  region: 'us-east-1',
  tier: 'small',
  managed_tier: 'standard',
  cluster: 'cluster',
  storage: { type: 'network_balanced', size: 200 },
  spend_limit: 500,
})
export class CreateManagedDto extends ShapeDto {
  @IsName('Unique in the environment, without regard to case.')
  name: string;

  @IsOneOf(CLUSTER_KINDS, '`cluster` for paid, `standalone` for Free.')
  cluster: ClusterKind;

  @ClearableText()
  @IsText(500, 'What the deployment is for. Default: empty.')
  description?: string | null;

  @Optional()
  @IsFlag('True: deletion needs a one-time code. Default false.')
  protected?: boolean;

  @Optional()
  @IsFlag('Custom key encryption of message data; default false.')
  encrypted?: boolean;

  @Optional()
  @IsFlag('Static public IP; default true.')
  public_ip_enabled?: boolean;

  @Optional()
  @IsFlag('Custom subdomain. It needs a public IP. Default: the value of `public_ip_enabled`.')
  subdomain_enabled?: boolean;

  @Optional()
  @IsFlag('Dedicated isolation; default false.')
  dedicated?: boolean;

  /** The retention of telemetry. Default: the days of the managed tier. */
  @Optional()
  @Nested(RetentionDto)
  retention?: RetentionDto;

  /** The backup that the deployment starts with. Default: the deployment starts empty. */
  @Optional()
  @Nested(RestoreFromDto)
  restore_from?: RestoreFromDto;

  @Clearable()
  @IsUsd('Monthly spend in USD at which the organization is notified.')
  spend_limit?: number;
}
