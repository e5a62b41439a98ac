import { groupedBy, operationsOf, resolve } from './documents.mjs';

const HEAD = '// Made from the API descriptions in contract/. Do not edit, and do not commit.\n';
const WIDTH = 120;

/**
 * The methods of the SDK, from the ids of the operations (`accessRules.list`): their types, and a table that says how to send each
 * request. The ids are unique over both documents, so one client has the methods of both APIs.
 */
export function apiFile(target, documents) {
  const groups = groupedBy(operationsOf(documents).map(methodOf), 'group');
  return { [`${target}/api.ts`]: typesOf(groups), [`${target}/operations.ts`]: tableOf(groups) };
}

function methodOf({ app, document, group, name, path, method, operation, parameters, body }) {
  const { operationId: id, summary = '', description = '', requestBody } = operation;
  const [status, answer] = Object.entries(operation.responses).find(([code]) => code < 300);
  const { content = {}, headers = {} } = resolve(document, answer);
  const named = (place) => parameters.filter((one) => one.in === place).map((one) => one.name);
  const ids = Object.keys(headers).filter((one) => one.startsWith('ld-') && one !== 'ld-request');
  refuseCollisions(id, [...named('path'), ...named('query'), ...Object.keys(body?.properties ?? {})]);
  return {
    ...{ app, id, group, name, path, method, status, ids, query: named('query') },
    hasBody: requestBody !== undefined,
    isKeyed: named('header').includes('idempotency-key'),
    text: description.startsWith(summary) ? description : `${summary}\n\n${description}`,
    ...answerOf({ content, headers, ids, document }),
  };
}

/** A method takes all members in one object. */
function refuseCollisions(id, members) {
  const repeated = members.filter((one, index) => members.indexOf(one) !== index);
  if (repeated.length > 0) throw new TypeError(`${id} has ${repeated.join(', ')} in two places.`);
}

/** The kind of an answer, and what its events or items are. */
function answerOf({ content, headers, ids, document }) {
  const [[type, media] = []] = Object.entries(content);
  if (type === undefined) return { kind: ids.includes('ld-operation') ? 'accepted' : 'empty' };
  if (type === 'text/event-stream') {
    return { kind: 'events', event: media.schema.properties.data.contentSchema.$ref.split('/').at(-1) };
  }
  if (type !== 'application/json') return { kind: 'file' };
  const name = media.schema.$ref?.split('/').at(-1);
  const isPage = 'link' in headers && document.components.schemas[name]?.properties?.items !== undefined;
  return { kind: isPage ? 'page' : ids.includes('ld-operation') ? 'accepted' : 'json' };
}

const pascal = (id) => id.replaceAll(/(?:^|\.)(\w)/g, (_all, letter) => letter.toUpperCase());
const typeName = (app, id, part) => `${app === 'main' ? 'Main' : 'Supervisor'}.${pascal(id)}${part}`;

function resultOf({ app, id, kind, status, ids, event }) {
  const body = `${typeName(app, id, 'Responses')}[${status}]`;
  if (kind === 'empty') return 'void';
  if (kind === 'file') return 'Response';
  if (kind === 'page') return body;
  if (kind === 'events') return `${app === 'main' ? 'Main' : 'Supervisor'}.${event}`;
  if (kind === 'json') return body;
  const numbers = ids
    .filter((one) => one !== 'ld-operation')
    .map((one) => `${one.slice(3).replaceAll('-', '_')}_id: number`);
  const none = numbers.length === 0 ? 'object' : `{ ${numbers.join('; ')} }`;
  return `Accepted<${status === '204' ? none : body}>`;
}

const SHAPES = { page: 'PagedMethod', events: 'EventMethod' };

function typesOf(groups) {
  const lines = [
    HEAD,
    "import type { Accepted, EventMethod, Method, PagedMethod } from '../calls.js';",
    "import type * as Main from './main-types.js';",
    "import type * as Supervisor from './supervisor-types.js';",
    '',
    '/** The methods for every request of both APIs. */',
    'export interface Api {',
  ];
  for (const [group, operations] of groups) {
    lines.push(`  ${group}: {`);
    for (const one of operations)
      lines.push(
        ...comment(`${one.text}\n\n\`${one.method} ${one.path}\``),
        `    ${one.name}: ${SHAPES[one.kind] ?? 'Method'}<${typeName(one.app, one.id, 'Data')}, ${resultOf(one)}>;`,
      );
    lines.push('  };');
  }
  return `${[...lines, '}'].join('\n')}\n`;
}

function comment(text) {
  const lines = text
    .trim()
    .replaceAll('*/', '*\\/')
    // Lines of one paragraph are one line.
    .replaceAll(/(?<=\S)\n(?=[^\s-])/g, ' ')
    .split('\n')
    .flatMap((line) => wrapped(line, WIDTH - 7));
  return ['    /**', ...lines.map((line) => `     * ${line}`.trimEnd()), '     */'];
}

function wrapped(text, width) {
  const lines = [''];
  for (const word of text.split(' ')) {
    if (lines.at(-1).length + word.length + 1 > width) lines.push('');
    lines.push(`${lines.pop()} ${word}`.trimStart());
  }
  return lines;
}

function tableOf(groups) {
  const lines = [
    HEAD,
    "import type { OperationTable } from '../calls.js';",
    '',
    '/** How to send each request: app, method, path, kind of the answer, query members, whether the request has a body and takes an idempotency key. */',
    'export const OPERATIONS: OperationTable = {',
  ];
  for (const [group, operations] of groups) {
    lines.push(`  ${group}: {`);
    for (const { name, app, method, path, kind, query, hasBody, isKeyed } of operations) {
      const values = [app, method, path, kind, query.join(' ')].map((one) => `'${one}'`);
      lines.push(`    ${name}: [${[...values, hasBody, isKeyed].join(', ')}],`);
    }
    lines.push('  },');
  }
  return `${[...lines, '};'].join('\n')}\n`;
}
