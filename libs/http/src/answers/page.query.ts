import { MAX_ID } from '@libs/domain';
import { ApiProperty } from '@nestjs/swagger';
import { IsWholeNumber } from '../input/number.rules.js';
import { Optional } from '../input/presence.js';

/** `page` and `results` of every paged list (C-3.2). */
export class PageQuery {
  @Optional()
  @IsWholeNumber(1, MAX_ID, 'The page, from 1.')
  @ApiProperty({ default: 1 })
  page: number = 1;

  @Optional()
  @IsWholeNumber(1, 100, 'Items on a page.')
  @ApiProperty({ default: 10 })
  results: number = 10;
}
