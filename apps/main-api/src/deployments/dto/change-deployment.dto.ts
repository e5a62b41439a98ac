import { ClearableText, IsFlag, IsText, IsUsd, Nested, NestedList, Optional, UpdateDto } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';
import { IsInt, Max, Min, ValidateIf } from 'class-validator';
import { RetentionDto } from './create-managed.dto.js';

/** What of a deployment can be changed at any time. */
export class UpdateDeploymentDto extends UpdateDto {
  @Optional()
  @IsFlag('True: deletion needs a one-time code.')
  protected?: boolean;

  @ClearableText()
  @IsText(500, 'What the resource is for.')
  description?: string;
}

/** The threshold at which the tenant is told what a deployment costs. */
export class SpendLimitDto {
  @ValidateIf((dto: SpendLimitDto) => dto.spend_limit !== null)
  @IsUsd('USD a month; null for none.')
  @ApiProperty({ nullable: true })
  spend_limit: number | null;
}

/** How long metrics, logs and heartbeats are kept. */
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

/** Reserved: nodes that would be added. */
export class ExtendDeploymentDto {
  @NestedList(NodesToAddDto, [1, 100], 'Nodes by their kind.')
  nodes: NodesToAddDto[];
}
