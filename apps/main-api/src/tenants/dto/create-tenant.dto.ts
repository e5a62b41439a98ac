import { Example, IsMailedName } from '@libs/http';

/** A new tenant: an organization of the calling user. */
@Example<CreateTenantDto>({ name: 'Harbour Logistics' })
export class CreateTenantDto {
  @IsMailedName('Display name of the tenant.')
  name: string;
}
