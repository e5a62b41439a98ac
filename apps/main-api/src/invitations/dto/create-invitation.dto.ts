import { Clearable, IsEmailAddress, IsId, IsIdList, Optional } from '@libs/http';

/** Whom to invite, and as what. */
export class CreateInvitationDto {
  @IsEmailAddress('Where the invitation is sent. Only who has proved this address can accept it.')
  email: string;

  @Clearable()
  @IsId('Confines the member to this division.')
  division_id?: number;

  @Optional()
  @IsIdList(0, 100, 'Roles that the member will have; the viewer unless told.')
  roles?: number[];
}
