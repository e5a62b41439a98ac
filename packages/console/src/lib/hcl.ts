export type HclValue =
  string | number | boolean | null | undefined | readonly HclValue[] | { readonly [name: string]: HclValue };

const INDENT = '  ';

/** A string of HCL. `${` and `%{` would begin a template. */
const text = (value: string): string =>
  JSON.stringify(value)
    .replaceAll('${', () => '$${')
    .replaceAll('%{', () => '%%{');

/** A block of the Terraform provider. Undefined and empty values are left out. */
export const resource = (type: string, name: string, values: Readonly<Record<string, HclValue>>): string =>
  `resource "${type}" "${identifier(name)}" ${objectOf(values, '')}`;

const isGiven = (value: HclValue): boolean => value !== undefined && value !== '';

function objectOf(values: Readonly<Record<string, HclValue>>, indent: string): string {
  const given = Object.entries(values).filter(([, value]) => isGiven(value));
  const names = given.map(([name]) => (/^[A-Za-z_][\w-]*$/.test(name) ? name : text(name)));
  const width = Math.max(0, ...names.map((name) => name.length));
  const lines = given.map(
    ([, value], at) => `${indent}${INDENT}${(names[at] ?? '').padEnd(width)} = ${valueOf(value, indent + INDENT)}`,
  );
  return ['{', ...lines, `${indent}}`].join('\n');
}

function valueOf(value: HclValue, indent: string): string {
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value)) return `[${value.map((one: HclValue) => valueOf(one, indent)).join(', ')}]`;
  if (typeof value === 'object' && value !== null) return objectOf(value as Readonly<Record<string, HclValue>>, indent);
  return String(value);
}

/** Names of blocks have letters, digits, "_" and "-" only. */
const identifier = (name: string): string => name.replaceAll(/[^\w-]/g, '_').replace(/^(?![A-Za-z_])/, '_');
