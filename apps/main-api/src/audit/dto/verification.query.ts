import { ApiProperty } from '@nestjs/swagger';
import { MAX_ID } from '@libs/domain';
import { wholeNumber } from '@libs/http';
import { Transform } from 'class-transformer';
import { IsDefined, IsInt, Matches, Max, Min, ValidateIf } from 'class-validator';

const isEitherGiven = ({ sequence, hash }: VerificationQuery): boolean => sequence !== undefined || hash !== undefined;

/** A seal from an earlier answer: both members, or none. */
export class VerificationQuery {
  @ApiProperty({
    type: 'integer',
    format: 'int64',
    minimum: 1,
    maximum: MAX_ID,
    required: false,
    description: 'Number of a seal that you kept (`sealed_up_to`); with `hash`.',
  })
  @ValidateIf(isEitherGiven)
  @IsDefined({ message: 'must be given together with hash' })
  @Transform(wholeNumber)
  @IsInt()
  @Min(1)
  @Max(MAX_ID)
  sequence?: number;

  @ApiProperty({
    type: 'string',
    pattern: '^[0-9a-fA-F]{64}$',
    required: false,
    description: 'What that seal was then (`seal_hash`); with `sequence`.',
  })
  @ValidateIf(isEitherGiven)
  @IsDefined({ message: 'must be given together with sequence' })
  @Matches(/^[0-9a-f]{64}$/i, { message: 'must be 64 hex characters' })
  hash?: string;
}
