import { Example, IsId } from '@libs/http';

/** The member who becomes the owner of the tenant. */
@Example<TransferOwnershipDto>({ member_id: 2 })
export class TransferOwnershipDto {
  @IsId('An active member of the tenant, by the id of the user, with a verified e-mail address.')
  member_id: number;
}
