import { IsId, IsIdList, IsText, Optional } from '@libs/http';
import { IsEmail } from 'class-validator';

/** Whom to invite, and as what. */
export class CreateInvitationDto {
  @IsEmail()
  @IsText(254, 'Where the invitation is sent. Only who has proved this address can accept it.')
  email: string;

  @Optional()
  @IsId('Confines the member to this division.')
  division_id?: number;

  @Optional()
  @IsIdList(0, 100, 'Roles that the member will have; the viewer unless told.')
  roles?: number[];
}
