import { MAX_ID } from '@libs/domain';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsInt, Max, Min } from 'class-validator';

/**
 * Accepts only plain digits as a number, up to 2^53 − 1. Other texts are unchanged, and the rule of the member refuses
 * them.
 */
export const wholeNumber = ({ value }: { value: unknown }): unknown =>
  typeof value === 'string' && /^-?\d{1,16}$/.test(value) && Number.isSafeInteger(Number(value))
    ? Number(value)
    : value;

/** `page` and `results` of every paged list (C-3.2). */
export class PageQuery {
  @ApiProperty({
    type: 'integer',
    minimum: 1,
    maximum: MAX_ID,
    default: 1,
    required: false,
    description: 'The page, from 1.',
  })
  @Transform(wholeNumber)
  @IsInt()
  @Min(1)
  @Max(MAX_ID)
  page: number = 1;

  @ApiProperty({
    type: 'integer',
    minimum: 1,
    maximum: 100,
    default: 10,
    required: false,
    description: 'Items on a page.',
  })
  @Transform(wholeNumber)
  @IsInt()
  @Min(1)
  @Max(100)
  results: number = 10;
}
