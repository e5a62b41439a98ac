import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf } from './operations-of.js';

interface Schema {
  $ref?: string;
  allOf?: Schema[];
  description?: string;
  properties?: Record<string, { items?: Schema }>;
}
interface Body {
  schema?: Schema;
}
interface Operation {
  operationId: string;
  responses: Record<string, { content?: Record<string, Body> }>;
}

const SCHEMAS = '#/components/schemas/';

/**
 * Moves the envelope of each list into the components, such as `DivisionPage`. Otherwise a generated client has no name
 * for a page.
 */
export function namePages(document: OpenAPIObject): OpenAPIObject {
  const schemas: Record<string, object> = { ...document.components?.schemas };
  for (const body of bodiesOf(document)) {
    const items = itemsOf(body.schema);
    if (!body.schema || items === undefined) continue;
    const name = nameOf(body.schema, items);
    schemas[name] = { description: `One page of a list of \`${items}\`.`, ...body.schema };
    body.schema = { $ref: `${SCHEMAS}${name}` };
  }
  const sorted = Object.entries(schemas).sort(([one], [other]) => (one < other ? -1 : 1));
  document.components = Object.assign({}, document.components, { schemas: Object.fromEntries(sorted) });
  return document;
}

const bodiesOf = (document: OpenAPIObject): Body[] =>
  operationsOf<Operation>(document)
    .flatMap(({ operation }) => Object.values(operation.responses))
    .flatMap(({ content }) => Object.values(content ?? {}));

/** The name of the schema of the items. Undefined: the schema is no page. */
function itemsOf(schema: Schema | undefined): string | undefined {
  const envelope = schema?.allOf?.[0] ?? schema;
  if (!envelope?.properties?.['total_results']) return undefined;
  return nameIn(envelope.properties['items']?.items);
}

/** `ChannelPage` for items of `ChannelItemView`; `ChargeLineAndUsageTotalsPage` if the page has the members of a second schema. */
const nameOf = ({ allOf = [] }: Schema, items: string): string =>
  `${[items, ...allOf.slice(1).map(nameIn)].map(withoutRole).join('And')}Page`;

const nameIn = (schema: Schema | undefined): string => schema?.$ref?.slice(SCHEMAS.length) ?? '';
const withoutRole = (name: string): string => name.replace(/(Item)?(View)?$/, '');
