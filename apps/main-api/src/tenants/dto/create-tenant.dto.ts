import { IsMailedName } from '@libs/http';

/** A new organization. */
export class CreateTenantDto {
  @IsMailedName('As it is shown.')
  name: string;
}
