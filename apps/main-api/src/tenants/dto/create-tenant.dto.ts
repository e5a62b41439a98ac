import { IsMailedName } from '@libs/http';

/** A new organization. */
export class CreateTenantDto {
  @IsMailedName('Display name of the tenant.')
  name: string;
}
