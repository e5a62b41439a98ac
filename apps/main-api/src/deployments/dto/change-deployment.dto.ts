import { ClearableText, IsFlag, IsText, IsUsd, Nested, NestedList, Optional, UpdateDto } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';
import { IsInt, Max, Min, ValidateIf } from 'class-validator';
import { RetentionDto } from './create-managed.dto.js';

/** The members of a deployment that can change at any time. */
export class UpdateDeploymentDto extends UpdateDto {
  @Optional()
  @IsFlag('True: deletion needs a one-time code.')
  protected?: boolean;

  @ClearableText()
  @IsText(500, 'What the resource is for.')
  description?: string;
}

/** The spend threshold at which the tenant is notified. */
export class SpendLimitDto {
  @ValidateIf((dto: SpendLimitDto) => dto.spend_limit !== null)
  @IsUsd('USD a month; null for none.')
  @ApiProperty({ nullable: true })
  spend_limit: number | null;
}

/** The retention of metrics, logs and heartbeats. */
export class ChangeRetentionDto {
  @Nested(RetentionDto)
  retention: Required<RetentionDto>;
}

/** Nodes of one kind. */
export class NodesToAddDto {
  @IsInt()
  @Min(1)
  @Max(100)
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 100 })
  count: number;
}

/** Reserved: nodes to add. */
export class ExtendDeploymentDto {
  @NestedList(NodesToAddDto, [1, 100], 'Nodes by their kind.')
  nodes: NodesToAddDto[];
}
