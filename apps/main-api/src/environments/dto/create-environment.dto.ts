import { ClearableText, Example, IsFlag, IsName, IsText, Optional } from '@libs/http';

/** A new environment. */
@Example<CreateEnvironmentDto>({ name: 'production', description: 'What customers use.' })
export class CreateEnvironmentDto {
  @IsName('Unique in the division, without regard to case.')
  name: string;

  @ClearableText()
  @IsText(500, 'What the resource is for.')
  description?: string | null;

  @Optional()
  @IsFlag('True: deletion needs a one-time code.')
  protected?: boolean;
}
