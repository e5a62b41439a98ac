import type { Arguments } from './tool.js';
import type { ObjectSchema } from './tool-schemas.js';

/** What models call an argument, after the members of the API and of other servers. */
const SYNONYMS: Readonly<Record<string, string>> = {
  ...{ deployment_id: 'deployment', division_id: 'division', environment_id: 'environment' },
  ...{ limit: 'results', page_size: 'results' },
};

/** The arguments with the names of the tool. An id of a level may be a number. An argument that the tool has stays as it is. */
export function withSynonyms({ properties }: ObjectSchema, input: Arguments): Arguments {
  const pairs = Object.entries(input).map(([name, value]): [string, unknown] => {
    const other = SYNONYMS[name];
    const isOther = other !== undefined && !Object.hasOwn(properties, name) && Object.hasOwn(properties, other);
    const member = isOther && !Object.hasOwn(input, other) ? other : name;
    const isText = properties[member]?.type === 'string';
    return [member, isText && typeof value === 'number' ? String(value) : value];
  });
  return Object.fromEntries(pairs);
}
