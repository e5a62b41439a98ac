/** `NAME="value"`, one per line, sorted. Escapes characters with a special meaning for the reader of the file. */
export function environmentText(variables: Record<string, string>): string {
  const lines = Object.entries(variables).map(
    ([name, value]) => `${name}="${value.replace(/[\\"$]/g, '\\$&').replaceAll('\n', '\\n')}"\n`,
  );
  return lines.sort().join('');
}
