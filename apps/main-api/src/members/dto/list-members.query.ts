import { Optional, PageQuery } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean } from 'class-validator';

const WORDS = new Map<unknown, boolean>([
  ['true', true],
  ['false', false],
]);

/** Filters of members. */
export class ListMembersQuery extends PageQuery {
  @Optional()
  @Transform(({ value }: { value: unknown }) => WORDS.get(value) ?? value)
  @IsBoolean()
  @ApiProperty({ type: 'boolean', description: 'Only those who are active, or only those who are not.' })
  active?: boolean;
}
