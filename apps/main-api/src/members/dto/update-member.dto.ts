import { Example, IsDistinctIds, IsFlag, Optional, ReadBy, UpdateDto } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

/** The record shows roles as {id, name}, and clients may send them back in this form. The name is ignored. */
const idOf = (role: unknown): unknown => (typeof role === 'object' && role !== null && 'id' in role ? role.id : role);

/** Changes of a membership. An omitted member is unchanged. */
@Example<UpdateMemberDto>({ active: false })
export class UpdateMemberDto extends UpdateDto {
  @Optional()
  @IsFlag("False removes the access of the member and of the member's keys until the member is active again.")
  active?: boolean;

  @Optional()
  @ReadBy((value) => (Array.isArray(value) ? value.map(idOf) : value))
  @IsDistinctIds(0, 100)
  @ApiProperty({
    type: 'array',
    items: {
      oneOf: [
        { type: 'integer', format: 'int64' },
        {
          type: 'object',
          required: ['id'],
          properties: { id: { type: 'integer', format: 'int64', description: 'The role.' }, name: { type: 'string' } },
        },
      ],
    },
    maxItems: 100,
    uniqueItems: true,
    description: 'All the roles that the member has from now on: their ids, or as the record shows them.',
  })
  roles?: number[];
}
