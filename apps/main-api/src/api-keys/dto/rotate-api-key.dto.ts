import { Optional } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';

const A_WEEK_SECONDS = 604_800;

/** How a secret is replaced. */
export class RotateApiKeyDto {
  @Optional()
  @IsInt()
  @Min(0)
  @Max(A_WEEK_SECONDS)
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    maximum: A_WEEK_SECONDS,
    default: 0,
    required: false,
    description: 'Seconds in which the secret until now works as well.',
  })
  overlap_seconds?: number;
}
