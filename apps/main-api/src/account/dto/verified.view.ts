import { Optional } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

/** The result of a verified address. */
export const WORKSPACES = ['own', 'claimed', 'joined', 'join_requested', 'awaiting_invitation'] as const;
export type Workspace = (typeof WORKSPACES)[number];

/** The result of the verification of an address. */
export class VerifiedView {
  email: string;

  @ApiProperty({
    type: 'string',
    enum: [...WORKSPACES],
    description:
      "own: no organization has the domain. claimed: the user's tenant now has the domain. joined: the user is a viewer of the tenant that has the domain. join_requested: the owner of that tenant decides. awaiting_invitation: that tenant admits invited users only.",
  })
  workspace: Workspace;

  @Optional()
  @ApiProperty({
    type: 'integer',
    format: 'int64',
    description: 'The tenant that you claimed the domain for, or joined.',
  })
  tenant_id?: number;
}
