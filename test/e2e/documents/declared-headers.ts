import type { ApiAnswer } from '@libs/testing';
import { operationsOf, readGolden, type NamedOperation } from '../../architecture/sources/openapi-document.js';
import { describedPath, type Cell } from '../matrix/routes.js';

/** The headers of the contract. The others are those of every web server, or tell the release to known callers. */
const IS_OF_CONTRACT = /^(ld-(?!version$)|ratelimit-|retry-after$|etag$|location$|link$|deprecation$|sunset$)/;

const operations = new Map(
  (['main-api', 'supervisor'] as const).flatMap((app) =>
    operationsOf(readGolden(app)).map((operation) => [`${app}: ${operation.title}`, operation] as const),
  ),
);

/** What the API description says of a route; undefined: it does not have the route. */
export const operationOf = ({ app, method, path }: Cell): NamedOperation | undefined =>
  operations.get(`${app}: ${method.toLowerCase()} ${describedPath(path)}`);

/** The headers of a real answer that its description does not have, and those that it promises and the answer lacks. */
export function headerFaults(operation: NamedOperation, answer: ApiAnswer): { undeclared: string[]; absent: string[] } {
  const declared = Object.entries(operation.responses[String(answer.status)]?.headers ?? {});
  const names = declared.map(([name]) => name);
  const promised = declared.filter(([, { required }]) => required).map(([name]) => name);
  const present = [...answer.headers.keys()].filter((name) => IS_OF_CONTRACT.test(name));
  return {
    undeclared: present.filter((name) => !names.includes(name)),
    absent: promised.filter((name) => !present.includes(name)),
  };
}

export const NO_FAULTS = { undeclared: [], absent: [] };
