import { IsText, Optional } from '@libs/http';

/** The instance whose active configuration is read. */
export class PrimaryQuery {
  @Optional()
  @IsText(64, 'Key of the instance. Default: the instance whose active configuration was saved last.')
  name?: string;
}
