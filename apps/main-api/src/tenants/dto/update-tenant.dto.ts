import { ClearableText, Example, IsEmailAddress, IsFlag, IsMailedName, IsText, Optional, UpdateDto } from '@libs/http';

/** Changes of a tenant. An omitted member is unchanged. */
@Example<UpdateTenantDto>({ name: 'Harbour Logistics', description: 'Moves containers.', email: 'office@example.com' })
export class UpdateTenantDto extends UpdateDto {
  @Optional()
  @IsMailedName('Display name of the tenant.')
  name?: string;

  @ClearableText()
  @IsText(500, 'What the resource is for.')
  description?: string | null;

  @ClearableText()
  @IsEmailAddress('Organization contact address; protection codes are sent there.', { orEmpty: true })
  email?: string | null;

  @Optional()
  @IsFlag('True: deletion needs a one-time code.')
  protected?: boolean;
}
