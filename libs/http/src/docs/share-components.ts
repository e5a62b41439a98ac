import type { OpenAPIObject } from '@nestjs/swagger';
import { PROBLEM_TYPE } from '../errors/problem.js';
import { RATE_HEADER } from './answer-headers.js';
import { operationsOf } from './operations-of.js';
import { nameOfRefusal, pascalCase } from './refusal-names.js';

interface Parameter {
  $ref?: string;
  name?: string;
  schema?: { $ref?: string };
}
interface Refusal {
  allOf?: { properties?: { code?: { enum: string[] } } }[];
}
interface Response {
  $ref?: string;
  headers?: Record<string, object>;
  content?: Record<string, { schema?: Refusal }>;
}
interface Operation {
  operationId: string;
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  responses: Record<string, Response>;
}

/** A header, a parameter or a success stands in the components from this number of uses on. A refusal always does. */
const FEWEST_USES = 3;

/**
 * Writes each header, parameter and response that operations repeat once into the components. The operations refer to
 * it. The most frequent way to authenticate becomes the default of the document. This is the last change of a
 * description, because the other changes read the operations themselves.
 */
export function shareComponents(document: OpenAPIObject): OpenAPIObject {
  const operations = operationsOf<Operation>(document).map(({ operation }) => operation);
  const headers = shareHeaders(operations);
  const parameters = shareParameters(operations, document.components?.schemas ?? {});
  const responses = shareResponses(operations);
  document.components = Object.assign({}, document.components, { responses, parameters, headers });
  document.security = shareSecurity(operations);
  return document;
}

function shareHeaders(operations: Operation[]): Record<string, object> {
  const shared = new SharedParts('headers', FEWEST_USES);
  const responses = operations.flatMap((operation) => Object.values(operation.responses));
  for (const { headers = {} } of responses)
    for (const [name, header] of Object.entries(headers)) shared.count(pascalCase(name), header);
  for (const response of responses)
    if (response.headers)
      response.headers = mapped(response.headers, (header, name) => shared.refer(pascalCase(name), header));
  return shared.components();
}

function shareParameters(operations: Operation[], schemas: object): Record<string, object> {
  const shared = new SharedParts('parameters', FEWEST_USES);
  // Lists have different orders under one name. A generator for Go puts parameters and schemas into one namespace.
  const nameOf = ({ name = '', schema }: Parameter): string => {
    const ofOrder = name === 'sort' ? schema?.$ref?.split('/').at(-1) : undefined;
    const plain = ofOrder ?? pascalCase(name.replace(/^x-/, ''));
    return plain in schemas ? `${plain}Parameter` : plain;
  };
  for (const one of operations.flatMap(({ parameters = [] }) => parameters)) shared.count(nameOf(one), one);
  for (const operation of operations)
    if (operation.parameters) operation.parameters = operation.parameters.map((one) => shared.refer(nameOf(one), one));
  return shared.components();
}

function shareResponses(operations: Operation[]): Record<string, object> {
  const refusals = new SharedParts('responses', 1);
  const empty = new SharedParts('responses', FEWEST_USES);
  const all = operations.flatMap(({ responses }) => Object.entries(responses));
  const sharedBy = (response: Response): SharedParts => (codesOf(response) ? refusals : empty);
  for (const [status, one] of all) if (isNamed(one)) sharedBy(one).count(nameOf(one, status), one);
  for (const operation of operations)
    operation.responses = mapped(operation.responses, (one, status) =>
      isNamed(one) ? sharedBy(one).refer(nameOf(one, status), one) : one,
    );
  return { ...refusals.components(), ...empty.components() };
}

/** Removes the default from its operations. A public operation needs an empty list instead. */
function shareSecurity(operations: Operation[]): Record<string, string[]>[] {
  const textOf = ({ security = [] }: Operation): string => JSON.stringify(security);
  const uses = new Map<string, number>();
  for (const operation of operations) uses.set(textOf(operation), (uses.get(textOf(operation)) ?? 0) + 1);
  const [usual = '[]'] = [...uses].sort(([, a], [, b]) => b - a)[0] ?? [];
  for (const operation of operations)
    if (textOf(operation) === usual) delete operation.security;
    else operation.security ??= [];
  return JSON.parse(usual) as Record<string, string[]>[];
}

/** The headers that a route has declared for its answer. */
const IS_OF_ROUTE = /^(link|ld-(?!request$))/;

/** Refusals, and responses without a body. The bodies of the others differ. */
const isNamed = (response: Response): boolean => codesOf(response) !== undefined || !response.content;

function nameOf(response: Response, status: string): string {
  const { headers = {} } = response;
  const codes = codesOf(response);
  const uncounted = RATE_HEADER in headers ? '' : 'Uncounted';
  if (codes) return `${nameOfRefusal(codes)}${uncounted}`;
  const ofRoute = Object.keys(headers).filter((name) => IS_OF_ROUTE.test(name));
  return [`${status === '304' ? 'NotModified' : 'NoContent'}${uncounted}`, ...ofRoute.map(pascalCase)].join('With');
}

const codesOf = ({ content }: Response): string[] | undefined =>
  content?.[PROBLEM_TYPE]?.schema?.allOf?.flatMap(({ properties }) => properties?.code?.enum ?? []);

const mapped = <T, R>(record: Record<string, T>, change: (value: T, name: string) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]));

/** The parts of one section of the components. Of parts with the same name, only the most frequent form is shared. */
class SharedParts {
  /** Name → form as JSON → number of uses. */
  private readonly uses = new Map<string, Map<string, number>>();

  constructor(
    private readonly section: 'headers' | 'parameters' | 'responses',
    private readonly fewestUses: number,
  ) {}

  count(name: string, part: object): void {
    const forms = this.uses.get(name) ?? new Map<string, number>();
    const form = JSON.stringify(part);
    this.uses.set(name, forms.set(form, (forms.get(form) ?? 0) + 1));
  }

  /** A reference to the part, or the part itself if it is not shared. */
  refer<T extends object>(name: string, part: T): T | { $ref: string } {
    const isShared = this.sharedForm(name) === JSON.stringify(part);
    return isShared ? { $ref: `#/components/${this.section}/${name}` } : part;
  }

  components(): Record<string, object> {
    const names = [...this.uses.keys()].sort();
    const shared = names.map((name) => [name, this.sharedForm(name)] as const);
    return Object.fromEntries(
      shared.flatMap(([name, form]) => (form === undefined ? [] : [[name, JSON.parse(form) as object]])),
    );
  }

  /** Forms with the same number of uses are in the order of their text: the order of the operations does not matter. */
  private sharedForm(name: string): string | undefined {
    const forms = [...(this.uses.get(name) ?? [])].filter(([, uses]) => uses >= this.fewestUses);
    return forms.sort(([a, usesOfA], [b, usesOfB]) => usesOfB - usesOfA || (a < b ? -1 : 1))[0]?.[0];
  }
}
