import { IsName } from '@libs/http';

/** A new organization. */
export class CreateTenantDto {
  @IsName('As it is shown.')
  name: string;
}
