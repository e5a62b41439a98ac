import { ClearableText, IsFlag, IsName, IsText, Optional } from '@libs/http';

/** A new environment. */
export class CreateEnvironmentDto {
  @IsName('Unique in the division, without regard to case.')
  name: string;

  @ClearableText()
  @IsText(500, 'What it is for.')
  description?: string;

  @Optional()
  @IsFlag('When true, deletion needs a one-time code.')
  protected?: boolean;
}
