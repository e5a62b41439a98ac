import { IsDistinctIds, IsFlag, Optional, UpdateDto } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';

/** The record shows roles as {id, name}: what a client has read it may send back. The name is not looked at. */
const idOf = (role: unknown): unknown => (typeof role === 'object' && role !== null && 'id' in role ? role.id : role);

/** What can change of a member. */
export class UpdateMemberDto extends UpdateDto {
  @Optional()
  @IsFlag("False removes the access of the member and of the member's keys until the member is active again.")
  active?: boolean;

  @Optional()
  @Transform(({ value }: { value: unknown }) => (Array.isArray(value) ? value.map(idOf) : value))
  @IsDistinctIds(0, 100)
  @ApiProperty({
    type: 'array',
    items: {
      oneOf: [
        { type: 'integer', format: 'int64' },
        {
          type: 'object',
          required: ['id'],
          properties: { id: { type: 'integer', format: 'int64' }, name: { type: 'string' } },
        },
      ],
    },
    maxItems: 100,
    uniqueItems: true,
    description: 'All the roles that the member has from now on: their ids, or as the record shows them.',
  })
  roles?: number[];
}
