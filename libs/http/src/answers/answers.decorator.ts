import { applyDecorators, Header, HttpCode, SetMetadata, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiProduces, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import type { ResourceKind } from '@libs/domain';
import { admits, type Callers } from '../access/access.decorator.js';
import { operationIdOf } from '../errors/fails-with.decorator.js';
import { ReadsAgain } from '../errors/reads-again.decorator.js';

export const PAGINATED = Symbol('landlord.paginated');
export const LOCATION = Symbol('landlord.location');
export const CREATED = Symbol('landlord.created');

const located = new Set<string>();

/** Where a created record is. */
export interface Location {
  template: string;
  /** The members of the record that the template has. */
  members: readonly string[];
}

/** What a route creates. */
export interface CreatedRecord {
  ids: readonly ResourceKind[];
}

type Responder = MethodDecorator;
type HeaderDocs = Record<string, { description: string; schema: object }>;

const idHeaderDocs = (ids: readonly ResourceKind[]): HeaderDocs =>
  Object.fromEntries(
    ids.map((id) => [`ld-${id}`, { description: `Id of the ${id}.`, schema: { type: 'integer', format: 'int64' } }]),
  );

/** 201 with the record, its id in a header, and the ids of other created records. */
export const Creates = (view: Type, ...ids: ResourceKind[]): Responder =>
  applyDecorators(
    HttpCode(201),
    SetMetadata(CREATED, { ids } satisfies CreatedRecord),
    ApiResponse({ status: 201, type: view, description: 'Created.', headers: idHeaderDocs(ids) }),
  );

/**
 * 202: the work continues. The headers contain the ids of the records, which clients can read at once in their
 * transient state.
 */
export const Accepts = (view: Type, ...ids: ResourceKind[]): Responder =>
  applyDecorators(
    HttpCode(202),
    SetMetadata(CREATED, { ids: [...ids, 'operation'] } satisfies CreatedRecord),
    ApiResponse({
      status: 202,
      type: view,
      description: 'Accepted; follow the operation.',
      headers: idHeaderDocs([...ids, 'operation']),
    }),
  );

/**
 * The `location` of the created record, where it is not directly below the path of the request. Without a leading slash relative to
 * this path. A placeholder is a created resource, a parameter of the path, or one of the `members` of the record.
 */
export const LocatedAt =
  (template: string, ...members: string[]): Responder =>
  (controller, method, descriptor) => {
    SetMetadata(LOCATION, { template, members } satisfies Location)(controller, method, descriptor);
    located.add(operationIdOf(controller.constructor.name, String(method)));
  };

/** Whether the answers of the handler of an operation in the API description have a `location`. */
export const isLocated = (operationId: string): boolean => located.has(operationId);

/** 204 without a body: the answer of a write that states no other. Headers contain the ids of created records. */
export const NoContent = (...ids: ResourceKind[]): Responder =>
  applyDecorators(
    HttpCode(204),
    ApiResponse({ status: 204, description: 'Done; no body.', ...(ids.length > 0 && { headers: idHeaderDocs(ids) }) }),
  );

/** 200 with one record, or with an array of records without an envelope. Headers contain the ids that a write names. */
export const Returns = (view: Type | [Type], ...ids: ResourceKind[]): Responder =>
  applyDecorators(
    HttpCode(200),
    ApiResponse({ status: 200, type: view, description: 'The answer.', headers: idHeaderDocs(ids) }),
  );

/** A read with its callers, which returns one record, or an array of records without an envelope. */
export const Reads = (callers: Callers, view: Type | [Type]): Responder =>
  applyDecorators(Returns(view), ReadsAgain, admits(callers));

/** A read of a list with its callers: 200 with the paging envelope; the query is a PageQuery. `beside`: more members of the envelope. */
export const Lists = (callers: Callers, view: Type, beside?: Type): Responder =>
  applyDecorators(
    HttpCode(200),
    ReadsAgain,
    SetMetadata(PAGINATED, true),
    ApiExtraModels(view, ...(beside ? [beside] : [])),
    ApiResponse({
      status: 200,
      description: beside ? 'One page, and what is said of all.' : 'One page, newest first.',
      headers: { link: { description: 'First, previous, next and last page (RFC 8288).', schema: { type: 'string' } } },
      schema: beside ? { allOf: [envelopeOf(view), { $ref: getSchemaPath(beside) }] } : envelopeOf(view),
    }),
    admits(callers),
  );

const envelopeOf = (view: Type) => ({
  type: 'object',
  required: ['items', 'page', 'total_results', 'total_pages'],
  properties: {
    items: { type: 'array', items: { $ref: getSchemaPath(view) } },
    page: { type: 'integer', description: 'Number of this page, from 1.' },
    total_results: { type: 'integer', description: 'Number of items on all pages.' },
    total_pages: { type: 'integer' },
  },
});

/** A read with its callers, whose handler sends the answer itself: a page, or the file that the API description shows. */
export const Sends = (callers: Callers, file?: { type: string; description: string }): Responder => {
  const schema = { type: 'string', format: 'binary' };
  const answer = file
    ? [ApiProduces(file.type), ApiResponse({ status: 200, description: file.description, schema })]
    : [];
  return applyDecorators(...answer, admits(callers));
};

/** For an answer that is the same for all callers: shared caches may store it for five minutes. */
export const Cacheable = (): MethodDecorator => Header('cache-control', 'public, max-age=300');

/** A stream with its callers: 200 with Server-Sent Events whose data is `view`; 204 when no further event follows. */
export const Streams = (callers: Callers, view: Type): Responder =>
  applyDecorators(
    ApiExtraModels(view),
    ApiResponse({
      status: 200,
      description: 'Server-Sent Events.',
      content: { 'text/event-stream': { schema: eventOf(view) } },
    }),
    ApiResponse({ status: 204, description: 'No event can follow; do not connect again.' }),
    admits(callers),
  );

const eventOf = (view: Type) => ({
  type: 'object',
  required: ['data'],
  properties: {
    data: {
      type: 'string',
      contentMediaType: 'application/json',
      contentSchema: { $ref: getSchemaPath(view) },
      description: `One \`${view.name}\` as JSON.`,
    },
  },
});
