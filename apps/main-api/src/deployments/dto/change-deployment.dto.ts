import {
  ClearableText,
  Example,
  IsFlag,
  IsName,
  IsText,
  IsUsd,
  Nested,
  NestedList,
  Optional,
  UpdateDto,
} from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';
import { IsInt, Max, Min, ValidateIf } from 'class-validator';
import { RetentionDto } from './create-managed.dto.js';

/** Changes of a deployment that are possible at any time. An omitted member is unchanged. */
@Example<UpdateDeploymentDto>({ name: 'orders of the shop', protected: true, description: 'Orders of the shop.' })
export class UpdateDeploymentDto extends UpdateDto {
  @Optional()
  @IsName('Unique in the environment, without regard to case.')
  name?: string;

  @Optional()
  @IsFlag('True: deletion needs a one-time code.')
  protected?: boolean;

  @ClearableText()
  @IsText(500, 'What the resource is for.')
  description?: string | null;
}

/** The spend threshold at which the tenant is notified. */
@Example<SpendLimitDto>({ spend_limit: 500 })
export class SpendLimitDto {
  @ValidateIf((dto: SpendLimitDto) => dto.spend_limit !== null)
  @IsUsd('USD a month; null for none.')
  @ApiProperty({ nullable: true })
  spend_limit: number | null;
}

/** The new retention of metrics, logs and heartbeats of a deployment. */
@Example<ChangeRetentionDto>({ retention: { telemetry_days: 3 } })
export class ChangeRetentionDto {
  /** The new retention. */
  @Nested(RetentionDto)
  retention: Required<RetentionDto>;
}

/** A number of nodes to add. */
export class NodesToAddDto {
  /** Number of nodes. */
  @IsInt()
  @Min(1)
  @Max(100)
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 100 })
  count: number;
}

/** Nodes to add to a deployment. Reserved: every request is refused. */
@Example<ExtendDeploymentDto>({ nodes: [{ count: 2 }] })
export class ExtendDeploymentDto {
  @NestedList(NodesToAddDto, [1, 100], 'Nodes by their kind.')
  nodes: NodesToAddDto[];
}
