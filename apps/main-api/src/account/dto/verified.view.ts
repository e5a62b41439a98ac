import { Optional } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

/** What a proved address came to. */
export const WORKSPACES = ['own', 'claimed', 'joined', 'join_requested', 'awaiting_invitation'] as const;
export type Workspace = (typeof WORKSPACES)[number];

/** An address that is proved. */
export class VerifiedView {
  email: string;

  @ApiProperty({
    type: 'string',
    enum: [...WORKSPACES],
    description:
      "own: the domain is no organization's; claimed: it is that of your tenant from now on; joined: you are a viewer of the " +
      'tenant that has it; join_requested: its owner was asked; awaiting_invitation: it takes in whom it invites.',
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
