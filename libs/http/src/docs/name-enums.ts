import type { OpenAPIObject } from '@nestjs/swagger';

/** A closed set of values with its own type in generated clients. */
export type NamedEnum = {
  /** What a value says: a sentence. */
  text: string;
} & (
  | {
      /** A member that has the values, such as `DeploymentView.tier`. */
      of: string;
    }
  | {
      /** The values, where only queries have them. */
      values: readonly string[];
    }
);
/** The enums of an API by their names. */
export type EnumNames = Readonly<Record<string, NamedEnum>>;

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  items?: Schema;
  properties?: Record<string, Schema>;
  allOf?: Schema[];
  anyOf?: Schema[];
}
type Json = Record<string, unknown>;

const SCHEMAS = '#/components/schemas/';

/**
 * Moves each named enum into the components. Otherwise a generated client has one type for each member with the values, such as
 * `ChannelViewChannel` and `ChannelItemViewChannel`, and no value of one fits the other.
 * @throws TypeError for a name whose member does not exist or has no such values
 */
export function nameEnums(document: OpenAPIObject, names: EnumNames): OpenAPIObject {
  const schemas = (document.components?.schemas ?? {}) as Record<string, Schema>;
  const values = Object.entries(names).map(([name, named]) => [name, valuesOf(schemas, named)] as const);
  const byValues = new Map(values.map(([name, list]) => [keyOf(list), name]));
  refer([document.paths, document.webhooks, schemas], byValues);
  for (const [name, list] of values)
    schemas[name] = {
      ...{ type: 'string', description: names[name]?.text, enum: list },
      'x-enum-varnames': list.map((one) => constantOf(name, one)),
    } as Schema;
  const sorted = Object.entries(schemas).sort(([one], [other]) => (one < other ? -1 : 1));
  document.components = Object.assign({}, document.components, { schemas: Object.fromEntries(sorted) });
  return document;
}

function valuesOf(schemas: Record<string, Schema>, named: NamedEnum): unknown[] {
  if ('values' in named) return [...named.values];
  const { of: member } = named;
  const [name = '', property = ''] = member.split('.');
  const schema = schemas[name]?.properties?.[property];
  const values = (schema?.items ?? schema)?.enum?.filter((value) => value !== null);
  if (!values) throw new TypeError(`${member} has no values to name`);
  return values;
}

/** `Tier`, `2xlarge` → `TIER_2XLARGE`. Generated Go has the constants of all enums in one namespace. */
const constantOf = (name: string, value: unknown): string =>
  `${name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_')}_${String(value).replaceAll(/[^A-Za-z0-9]+/g, '_')}`.toUpperCase();

const keyOf = (values: readonly unknown[]): string => JSON.stringify(values.filter((value) => value !== null).sort());

/** Replaces each enum with a name by a reference, and keeps what is said of it at its place. */
function refer(value: unknown, byValues: ReadonlyMap<string, string>): void {
  if (typeof value !== 'object' || value === null) return;
  for (const inner of Object.values(value)) refer(inner, byValues);
  const schema = value as Schema & Json;
  const name = Array.isArray(schema.enum) ? byValues.get(keyOf(schema.enum)) : undefined;
  if (name === undefined) return;
  const reference = { $ref: `${SCHEMAS}${name}` };
  const isNullable = schema.enum?.includes(null) ?? false;
  delete schema.enum;
  delete schema.type;
  if (isNullable) schema.anyOf = [reference, { type: 'null' }];
  else if (Object.keys(schema).length === 0) Object.assign(schema, reference);
  else schema.allOf = [reference];
}
