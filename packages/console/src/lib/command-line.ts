/** A request as a person would write it. */
export interface WrittenRequest {
  /** The words of the command, such as `deployments create --starter`. */
  command: string;
  /** The options of the command. Undefined values are left out. */
  options: Readonly<Record<string, string | number | undefined>>;
}

const PLAIN = /^[\w@%+=:,./-]+$/;

/** A word for a POSIX shell, which no character in a name can leave. */
export const quoted = (word: string): string => (PLAIN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

/** The line of the command line that sends the same request. */
export function commandLine({ command, options }: WrittenRequest): string {
  const words = Object.entries(options).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [`--${name}`, quoted(String(value))],
  );
  return ['landlord', command, ...words].join(' ');
}
