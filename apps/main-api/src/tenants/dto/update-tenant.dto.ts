import { ClearableText, IsEmailAddress, IsFlag, IsMailedName, IsText, Optional, UpdateDto } from '@libs/http';

/** Any of the members of a tenant that can change. */
export class UpdateTenantDto extends UpdateDto {
  @Optional()
  @IsMailedName('As it is shown.')
  name?: string;

  @ClearableText()
  @IsText(500, 'What it is for.')
  description?: string;

  @ClearableText()
  @IsEmailAddress('Organization contact address; protection codes are sent there.', { orEmpty: true })
  email?: string;

  @Optional()
  @IsFlag('When true, deletion needs a one-time code.')
  protected?: boolean;
}
