import { InvalidArgumentError, type Option } from 'commander';
import { nearest } from './nearest.js';

/** A person reads these choices in one line. */
const MOST_CHOICES = 10;

/** The option takes only these values, and names a similar one for another. */
export function withChoices(option: Option, choices: readonly string[], isList: boolean): Option {
  if (choices.length <= MOST_CHOICES) return option.choices(choices);
  // The choices are for the completion of the shell, and for the help.
  option.choices(choices);
  return option.argParser<unknown>((value, before) => {
    if (!choices.includes(value)) throw new InvalidArgumentError(refusal(value, choices));
    return isList ? [...((before as string[] | undefined) ?? []), value] : value;
  });
}

function refusal(value: string, choices: readonly string[]): string {
  const similar = nearest(value, choices);
  const question = similar === undefined ? '' : `Did you mean ${similar}? `;
  return `${question}There are ${choices.length} choices: --help lists them.`;
}
