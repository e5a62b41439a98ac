import { Clearable, Example, IsEmailAddress, IsId, IsIdList, Optional } from '@libs/http';

/** The invited address, and the roles of the new member. */
@Example<CreateInvitationDto>({ email: 'ben@example.com' })
export class CreateInvitationDto {
  @IsEmailAddress(
    'The invitation is mailed to this address. Only a user with this verified address can accept the invitation.',
  )
  email: string;

  @Clearable()
  @IsId('Confines the member to this division.')
  division_id?: number;

  @Optional()
  @IsIdList(0, 100, 'Roles of the new member. Default: the role viewer.')
  roles?: number[];
}
