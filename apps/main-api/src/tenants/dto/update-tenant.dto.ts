import { IsFlag, IsName, IsText, Optional, UpdateDto } from '@libs/http';
import { IsEmail, ValidateIf } from 'class-validator';

/** Any of the members of a tenant that can change. */
export class UpdateTenantDto extends UpdateDto {
  @Optional()
  @IsName('As it is shown.')
  name?: string;

  @Optional()
  @IsText(500, 'What it is for.')
  description?: string;

  @Optional()
  @ValidateIf((dto: UpdateTenantDto) => dto.email !== '')
  @IsEmail()
  @IsText(254, 'Organization contact address; protection codes are sent there.')
  email?: string;

  @Optional()
  @IsFlag('When true, deletion needs a one-time code.')
  protected?: boolean;
}
