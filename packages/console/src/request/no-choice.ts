import { wordsOf } from '../ui/text/states.js';
import type { MemberShape } from './shape.js';

const DEFAULT = /\bdefault:? `?(.+?)`?(?:[.;](?:\s|$)|$)/i;
const WORDS: Readonly<Record<string, string>> = { true: 'yes', false: 'no' };

/** The words of a choice that the OpenAPI document or a schema has. */
export const choiceWords = (value: string): string => WORDS[value] ?? wordsOf(value);

/** Said of an optional member whose text has no default, and of which the page says nothing. */
export const NO_CHOICE = 'No choice';

/** What happens without a choice, as the text of the member says. A page can say it better. */
export function noneOf({ required, text }: Pick<MemberShape, 'required' | 'text'>): string {
  if (required === true) return 'Choose';
  const [, value] = DEFAULT.exec(text) ?? [];
  return value === undefined ? NO_CHOICE : `Default: ${choiceWords(value)}`;
}
