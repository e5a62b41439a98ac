// What the API says about the resources of its lists: the extension `x-resource`, which a decorator writes beside each view.
import { resolve } from './documents.mjs';

/** Members of requests that name a resource without the name of its id. */
const OTHER_NAMES = {
  roles: 'role_id',
  members: 'member_id',
  author: 'member_id',
  user: 'member_id',
  api_key: 'api_key_id',
};
/** Levels of the organization, which the command line finds in the tree. */
const LEVELS = ['tenant_id', 'division_id', 'environment_id', 'deployment_id'];
const PLACES = LEVELS.slice(1);

/** The description of the items of a list, with their schema. Undefined: the operation is no list. */
export function resourceOf(document, operation) {
  const answer = Object.entries(operation.responses).find(([code]) => code < 300)?.[1];
  const schema = resolve(document, resolve(document, answer).content?.['application/json']?.schema);
  const page = schema?.allOf ? resolve(document, schema.allOf[0]) : schema;
  const items = page?.type === 'array' ? page.items : page?.properties?.items?.items;
  const item = resolve(document, items);
  return item?.['x-resource'] && { ...item['x-resource'], item };
}

/** The columns of the table of a list, with the kind of values that a person reads in another form. */
export function columnsOf(document, operation) {
  const resource = resourceOf(document, operation);
  return resource?.columns.map((member) => ({ member, ...kindOf(member, resource.item.properties[member]) }));
}

function kindOf(member, schema) {
  if (PLACES.includes(member)) return { kind: 'place' };
  if (schema.format === 'date-time') return { kind: 'time' };
  return member.endsWith('_bytes') ? { kind: 'size' } : {};
}

/**
 * How to find the id of a resource by the name that people use, for members of requests. The list of the same group counts before
 * that of another one: two groups have peerings.
 */
export class Finders {
  constructor(operations) {
    this.all = operations.flatMap(({ document, group, name, path, method, operation }) => {
      const resource = method === 'GET' && name === 'list' ? resourceOf(document, operation) : undefined;
      if (!resource?.id || !resource.named_by || LEVELS.includes(resource.id)) return [];
      const needs = [...path.matchAll(/\{(\w+)\}/g)].map(([, one]) => one).filter((one) => one !== 'tenant_id');
      return [{ id: resource.id, group, finder: { list: operation.operationId, by: resource.named_by, needs } }];
    });
  }

  /** The level that the member names: the last words of its name. */
  levelOf(member) {
    const last = member.split('.').at(-1).replace(/_ids$/, '_id');
    return PLACES.find((level) => last === level || last.endsWith(`_${level}`));
  }

  /** Undefined: people name the resource by its id only, or the member names nothing. */
  of(group, member) {
    const last = member.split('.').at(-1);
    const id = OTHER_NAMES[last] ?? last.replace(/_ids$/, '_id');
    const found = this.all.filter((one) => one.id === id);
    return (found.find((one) => one.group === group) ?? found[0])?.finder;
  }
}
