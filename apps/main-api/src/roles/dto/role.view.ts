import { ApiId } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

const NAMES = { type: 'array' as const, items: { type: 'string' as const } };

/** What a role or key permits, by group (fills 3, "Permission groups"). */
export const PERMISSION_TREE = {
  type: 'object' as const,
  properties: {
    tenant: { ...NAMES, description: 'Reach everything.' },
    division: { ...NAMES, description: 'Reach every division in scope.' },
    environment: { ...NAMES, description: 'Reach every environment in scope.' },
    divisions: {
      type: 'object' as const,
      description: 'Reach exactly these divisions, by id.',
      additionalProperties: {
        type: 'object' as const,
        properties: {
          permissions: NAMES,
          environment: NAMES,
          environments: { type: 'object' as const, additionalProperties: NAMES },
        },
      },
    },
  },
};

export const ROLE_KINDS = ['system', 'custom', 'api_key'] as const;

/** A role of the tenant (fills 3). */
export class RoleView {
  @ApiId('The role.')
  id: number;

  name: string;

  @ApiProperty({ enum: [...ROLE_KINDS], description: 'api_key: made for one key, outside the limit of the plan.' })
  kind: string;

  @ApiProperty(PERMISSION_TREE)
  permissions: object;

  @ApiProperty({ type: 'string', format: 'date-time' })
  created_at: string;
}
