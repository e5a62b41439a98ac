import { IsId } from '@libs/http';

/** Who shall own the tenant. */
export class TransferOwnershipDto {
  @IsId('An active member of the tenant, by the id of the user, with a verified e-mail address.')
  member_id: number;
}
