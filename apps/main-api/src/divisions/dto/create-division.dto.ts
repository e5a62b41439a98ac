import { ClearableText, Example, IsEmailAddress, IsFlag, IsMailedName, IsText, Optional } from '@libs/http';

/** A new division. */
@Example<CreateDivisionDto>({ name: 'payments', description: 'Everything about money.', email: 'payments@example.com' })
export class CreateDivisionDto {
  @IsMailedName('Unique in the tenant, without regard to case.')
  name: string;

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
