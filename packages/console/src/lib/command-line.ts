/** `true` is the option alone. A list is one word for each item, and an object is JSON. */
export type OptionValue = string | number | boolean | readonly (string | number)[] | object | undefined;

/** A request as a person would write it. */
export interface WrittenRequest {
  /** The words of the command, such as `deployments create --starter`. */
  command: string;
  /** The arguments of the command. */
  words?: readonly string[];
  /** The options of the command. Undefined and empty values are left out. */
  options: Readonly<Record<string, OptionValue>>;
}

const PLAIN = /^[\w@%+=:,./-]+$/;

/** A word for a POSIX shell, which no character in a name can leave. */
export const quoted = (word: string): string => (PLAIN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

/** The line of the command line that sends the same request. */
export function commandLine({ command, words = [], options }: WrittenRequest): string {
  const given = Object.entries(options).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [`--${name}`, ...wordsOf(value).map(quoted)],
  );
  return ['landlord', command, ...words.map(quoted), ...given].join(' ');
}

function wordsOf(value: NonNullable<OptionValue>): readonly string[] {
  if (value === true) return [];
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.map(String);
  return [typeof value === 'object' ? JSON.stringify(value) : String(value)];
}
