import { Optional } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';

const A_WEEK_SECONDS = 604_800;
export const DEFAULT_OVERLAP_SECONDS = 86_400;

/** How a signing secret is replaced. */
export class RotateSecretDto {
  @Optional()
  @IsInt()
  @Min(0)
  @Max(A_WEEK_SECONDS)
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    maximum: A_WEEK_SECONDS,
    default: DEFAULT_OVERLAP_SECONDS,
    required: false,
    description: 'Seconds in which deliveries carry the signatures of both secrets.',
  })
  overlap_seconds?: number;
}
