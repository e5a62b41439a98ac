import type { App, CallOptions, EventOptions, StreamEvent } from './call-options.js';
import type { OperationHandle } from './operation-handle.js';

type Absent = undefined;
/** The members of one place of a request. All are optional when the place is. */
type Members<D, Place extends string> = Place extends keyof D
  ? [Exclude<D[Place], Absent>] extends [never]
    ? unknown
    : Absent extends D[Place]
      ? Partial<Exclude<D[Place], Absent>>
      : D[Place]
  : unknown;

/** The client knows the tenant. */
type WithoutTenant<Path> = Path extends { tenant_id: number } ? Omit<Path, 'tenant_id'> & { tenant_id?: number } : Path;

/** The members of the path, the query and the body in one object. No two places have a member with the same name. */
export type Input<D> = WithoutTenant<Members<D, 'path'>> & Members<D, 'query'> & Members<D, 'body'>;

type Arguments<D, O = CallOptions> =
  Record<never, never> extends Input<D> ? [input?: Input<D>, options?: O] : [input: Input<D>, options?: O];

/** A request with one answer. @throws LandlordError */
export type Method<D, Answer> = (...given: Arguments<D>) => Promise<Answer>;

/** A list in pages. Awaited: one page. In `for await`: the items of this page and all later ones. @throws LandlordError */
export type PagedMethod<D, Page extends AnyPage> = (...given: Arguments<D>) => Paged<Page>;

/** A stream of events, which is opened again after the last event when the connection breaks. @throws LandlordError */
export type EventMethod<D, Event> = (...given: Arguments<D, EventOptions>) => AsyncIterable<StreamEvent<Event>>;

export interface AnyPage {
  items: unknown[];
  page: number;
  total_pages: number;
}

export interface Paged<Page extends AnyPage> extends PromiseLike<Page>, AsyncIterable<Page['items'][number]> {
  /** This page and all later ones. */
  pages(): AsyncIterable<Page>;
}

/** The answer to a request whose work goes on after the answer. */
export type Accepted<Answer> = Answer & {
  /** Follows the work. Not enumerable, so that the answer stays plain JSON. */
  readonly operation: OperationHandle;
};

/** `accepted`: the answer names an operation. */
export type AnswerKind = 'json' | 'page' | 'accepted' | 'events' | 'file' | 'empty';

/** How to send a request. `query`: the members of the query, separated by spaces. */
export type OperationRow = readonly [
  app: App,
  method: string,
  path: string,
  kind: AnswerKind,
  query: string,
  hasBody: boolean,
  isKeyed: boolean,
];
export type OperationTable = Readonly<Record<string, Readonly<Record<string, OperationRow>>>>;
