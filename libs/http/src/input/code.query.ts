import { Optional } from './presence.js';
import { IsText } from './rules.js';

/** The one-time code of a protected resource. */
export class CodeQuery {
  @Optional()
  @IsText(32, 'Needed when the resource is protected.')
  code?: string;
}
