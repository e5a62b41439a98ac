import { IsText, Optional } from '@libs/http';

/** The instance whose active configuration is read. */
export class PrimaryQuery {
  @Optional()
  @IsText(64, 'Key of the instance; needed when the connector has several.')
  name?: string;
}
