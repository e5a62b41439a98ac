import { IsMailedName } from '@libs/http';

/** A new tenant: an organization of the calling user. */
export class CreateTenantDto {
  @IsMailedName('Display name of the tenant.')
  name: string;
}
