import { ClearableText, Example, IsEmailAddress, IsFlag, IsMailedName, IsText, Optional, UpdateDto } from '@libs/http';

/** Changes of a division. An omitted member is unchanged. */
@Example<UpdateDivisionDto>({ name: 'payments and refunds', protected: true })
export class UpdateDivisionDto extends UpdateDto {
  @Optional()
  @IsMailedName('Unique in the tenant, without regard to case.')
  name?: string;

  @ClearableText()
  @IsText(500, 'What the resource is for.')
  description?: string | null;

  @ClearableText()
  @IsEmailAddress('Contact address.', { orEmpty: true })
  email?: string | null;

  @Optional()
  @IsFlag('True: deletion needs a one-time code.')
  protected?: boolean;
}
