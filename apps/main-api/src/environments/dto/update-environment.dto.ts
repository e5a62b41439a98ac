import { ClearableText, Example, IsFlag, IsName, IsText, Optional, UpdateDto } from '@libs/http';

/** Changes of an environment. An omitted member is unchanged. */
@Example<UpdateEnvironmentDto>({ name: 'staging', protected: true })
export class UpdateEnvironmentDto extends UpdateDto {
  @Optional()
  @IsName('Unique in the division, without regard to case.')
  name?: string;

  @ClearableText()
  @IsText(500, 'What the resource is for.')
  description?: string | null;

  @Optional()
  @IsFlag('True: deletion needs a one-time code.')
  protected?: boolean;
}
