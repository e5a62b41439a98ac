import { commandLine, type OptionValue } from '../lib/command-line.js';
import { resource, type HclValue } from '../lib/hcl.js';
import { pathWith } from './path-with.js';
import type { Input, MemberShape, PathIds, RequestShape } from './shape.js';

/** A request in the words of each client. */
interface Written {
  command: string;
  /** Method, path and body. */
  request: string;
  /** Null: Terraform has no resource for the request. */
  terraform: string | null;
}

const LEVELS = ['division_id', 'environment_id', 'deployment_id'];
const MASK = '********';

/** The request as other clients send it. Secrets are masked, because the text is on the screen. */
export function written(shape: RequestShape, tenantId: number, ids: PathIds, input: Input): Written {
  const shown = masked(shape.members, input);
  return {
    command: commandOf(shape, ids, shown),
    request: requestOf(shape, { ...ids, tenant_id: tenantId }, shown),
    terraform: terraformOf(shape, ids, shown),
  };
}

/** The input without its secrets, at any depth. */
export function masked(members: readonly MemberShape[], input: Input, path = ''): Input {
  const isSecret = (name: string): boolean => members.some(({ member, secret }) => member === name && secret === true);
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => {
      const member = `${path}${name}`;
      if (isSecret(member)) return [name, MASK];
      return [name, isObject(value) ? masked(members, value, `${member}.`) : value];
    }),
  );
}

const isObject = (value: unknown): value is Input =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function commandOf(shape: RequestShape, ids: PathIds, input: Input): string {
  const { command, levels = [], method, waits } = shape;
  // A level has its own parents, so the deepest one is enough.
  const deepest = LEVELS.filter((one) => levels.includes(one) && one in ids).at(-1);
  return commandLine({
    command,
    words: shape.arguments.map((member) => String(ids[member] ?? `<${member}>`)),
    options: {
      ...optionsOf(shape, input),
      ...(deepest !== undefined && { [deepest.replace('_id', '')]: ids[deepest] }),
      ...(waits === true && { wait: true }),
      ...(method === 'DELETE' && { yes: true }),
    },
  });
}

/** Option → value. No option of the command empties a member: only its JSON can. */
function optionsOf({ members }: RequestShape, input: Input): Readonly<Record<string, OptionValue>> {
  const emptied = Object.entries(input).filter(([, value]) => value === null);
  const options = members.flatMap((one) => {
    const value = optionValueOf(one, members, input);
    return value === undefined || value === null ? [] : [[one.option, value]];
  });
  return {
    ...(Object.fromEntries(options) as Record<string, OptionValue>),
    ...(emptied.length > 0 && { body: Object.fromEntries(emptied) }),
  };
}

/** Members of an object can have one option, which takes the object as JSON. */
function optionValueOf({ member, option }: MemberShape, members: readonly MemberShape[], input: Input): unknown {
  const [outer = '', ...inner] = member.split('.');
  const isShared = members.filter((one) => one.option === option).length > 1;
  return isShared
    ? input[outer]
    : inner.reduce<unknown>((value, name) => (value as Input | undefined)?.[name], input[outer]);
}

function requestOf({ method, path, members }: RequestShape, ids: PathIds, input: Input): string {
  const inQuery = new Set(members.filter(({ query }) => query === true).map(({ member }) => member));
  const given = Object.entries(input);
  const query = new URLSearchParams(
    given.filter(([name]) => inQuery.has(name)).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  const body = given.filter(([name]) => !inQuery.has(name));
  const line = `${method} ${pathWith(path, ids)}${query === '' ? '' : `?${query}`}`;
  return body.length === 0 ? line : `${line}\n${JSON.stringify(Object.fromEntries(body), null, 2)}`;
}

function terraformOf({ resource: made }: RequestShape, ids: PathIds, input: Input): string | null {
  if (!made) return null;
  const values = made.attributes.flatMap((name) => {
    const member = made.renamed?.[name] ?? name;
    const value = input[member] ?? ids[member];
    return value === undefined ? [] : [[name, value as HclValue]];
  });
  const name = values.find(([attribute]) => attribute === 'name')?.[1];
  return resource(
    made.type,
    typeof name === 'string' && name !== '' ? name : 'this',
    Object.fromEntries(values) as Record<string, HclValue>,
  );
}
