import { IsFlag, IsText, Optional, UpdateDto } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsInt,
  IsNumber,
  IsObject,
  Max,
  Min,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { RetentionDto } from './create-managed.dto.js';

/** USD a month; more than anybody spends. */
const MAX_USD = 999_999_999;

/** What of a deployment can be changed at any time. */
export class UpdateDeploymentDto extends UpdateDto {
  @Optional()
  @IsFlag('When true, deletion needs a one-time code.')
  protected?: boolean;

  @Optional()
  @IsText(500, 'What it is for.')
  description?: string;
}

/** The threshold at which the tenant is told what a deployment costs. */
export class SpendLimitDto {
  @ValidateIf((dto: SpendLimitDto) => dto.spend_limit !== null)
  @IsNumber({ maxDecimalPlaces: 2, allowInfinity: false, allowNaN: false })
  @Min(0)
  @Max(MAX_USD)
  @ApiProperty({
    type: 'number',
    nullable: true,
    minimum: 0,
    maximum: MAX_USD,
    description: 'USD a month; null for none.',
  })
  spend_limit: number | null;
}

/** How long metrics, logs and heartbeats are kept. */
export class ChangeRetentionDto {
  @IsObject()
  @ValidateNested()
  @Type(() => RetentionDto)
  @ApiProperty({ type: RetentionDto })
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
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(100)
  @ValidateNested({ each: true })
  @Type(() => NodesToAddDto)
  @ApiProperty({ type: [NodesToAddDto] })
  nodes: NodesToAddDto[];
}
