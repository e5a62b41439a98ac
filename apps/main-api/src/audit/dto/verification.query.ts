import { ApiProperty } from '@nestjs/swagger';
import { IsQueryId } from '@libs/http';
import { IsDefined, Matches, ValidateIf } from 'class-validator';

const isEitherGiven = ({ sequence, hash }: VerificationQuery): boolean => sequence !== undefined || hash !== undefined;

/** A seal from an earlier answer: both members, or none. */
export class VerificationQuery {
  @IsQueryId('Number of a seal that you kept (`sealed_up_to`); with `hash`.')
  @ApiProperty({ required: false })
  @ValidateIf(isEitherGiven)
  @IsDefined({ message: 'must be given together with hash' })
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
