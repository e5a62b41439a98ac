import { ClearableText, IsFlag, IsName, IsText, Optional, UpdateDto } from '@libs/http';

/** Any of the members of an environment that can change. */
export class UpdateEnvironmentDto extends UpdateDto {
  @Optional()
  @IsName('Unique in the division, without regard to case.')
  name?: string;

  @ClearableText()
  @IsText(500, 'What the resource is for.')
  description?: string;

  @Optional()
  @IsFlag('True: deletion needs a one-time code.')
  protected?: boolean;
}
