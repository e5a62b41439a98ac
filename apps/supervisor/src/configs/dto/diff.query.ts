import { MAX_ID } from '@libs/domain';
import { IsWholeNumber, Optional } from '@libs/http';

/** The version for a comparison. */
export class DiffQuery {
  @Optional()
  @IsWholeNumber(1, MAX_ID, 'Another version of the same configuration. Default: the active version.')
  against?: number;
}
