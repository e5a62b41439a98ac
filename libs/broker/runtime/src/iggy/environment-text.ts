/** `NAME="value"`, one line each, in order; what the reader of the file would take for more than a character is escaped. */
export function environmentText(variables: Record<string, string>): string {
  const lines = Object.entries(variables).map(
    ([name, value]) => `${name}="${value.replace(/[\\"$]/g, '\\$&').replaceAll('\n', '\\n')}"\n`,
  );
  return lines.sort().join('');
}
