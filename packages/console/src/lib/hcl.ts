type Value = string | number | boolean | undefined;

/** A string of HCL. `${` and `%{` would begin a template. */
const text = (value: string): string =>
  JSON.stringify(value)
    .replaceAll('${', () => '$${')
    .replaceAll('%{', () => '%%{');

/** A block of the Terraform provider. Undefined and empty values are left out. */
export function resource(type: string, name: string, values: Readonly<Record<string, Value>>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== '');
  const width = Math.max(...given.map(([key]) => key.length));
  const lines = given.map(
    ([key, value]) => `  ${key.padEnd(width)} = ${typeof value === 'string' ? text(value) : String(value)}`,
  );
  return [`resource "${type}" "${identifier(name)}" {`, ...lines, '}'].join('\n');
}

/** Names of blocks have letters, digits, "_" and "-" only. */
const identifier = (name: string): string => name.replaceAll(/[^\w-]/g, '_').replace(/^(?![A-Za-z_])/, '_');
