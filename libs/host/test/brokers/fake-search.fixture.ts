import { FakeService, type ServiceAnswer, type ServiceRequest } from './fake-service.fixture.js';

interface Document {
  n?: unknown;
  index?: { _id: string };
  [member: string]: unknown;
}
const linesOf = (body: string): Document[] =>
  body
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Document);

/**
 * Contract fakes of search engines, made from their documentation. `n` of a document must be a number, which stands for a
 * mapping that refuses other values. `failure` is the answer to every request that writes.
 */
export class FakeSearch {
  readonly documents = new Map<string, Document>();
  readonly indexes = new Set<string>();
  failure: ServiceAnswer | null = null;
  /** Results of single documents by id, instead of the mapping. */
  statuses: Record<string, number> = {};
  private task = 0;
  private readonly tasks = new Map<number, Document>();

  static async elasticsearch(): Promise<[FakeSearch, FakeService]> {
    const fake = new FakeSearch();
    return [fake, await FakeService.start((request) => fake.asElasticsearch(request))];
  }

  static async meilisearch(): Promise<[FakeSearch, FakeService]> {
    const fake = new FakeSearch();
    return [fake, await FakeService.start((request) => fake.asMeilisearch(request))];
  }

  static async quickwit(): Promise<[FakeSearch, FakeService]> {
    const fake = new FakeSearch();
    return [fake, await FakeService.start((request) => fake.asQuickwit(request))];
  }

  private asElasticsearch({ method, path, body, headers }: ServiceRequest): ServiceAnswer {
    const [, index = '', action] = path.split('/');
    if (headers.authorization === `Basic ${Buffer.from('user:wrong').toString('base64')}`)
      return {
        status: 401,
        body: { error: { type: 'security_exception', reason: 'unable to authenticate user [user]' }, status: 401 },
      };
    if (method === 'HEAD') return { status: this.indexes.has(index) ? 200 : 404 };
    if (method === 'PUT') return this.create(index, { acknowledged: true, shards_acknowledged: true, index });
    if (action !== '_bulk') return { status: 405 };
    if (this.failure) return this.failure;
    const lines = linesOf(body);
    const items = lines.flatMap((line, at) =>
      at % 2 === 0 ? [this.indexed(index, line.index?._id ?? '', lines[at + 1] ?? {})] : [],
    );
    // The server answers 200, whatever happened to the documents.
    return { body: { errors: items.some(({ index: { status } }) => status > 299), items } };
  }

  private indexed(index: string, id: string, document: Document): { index: { status: number; error?: object } } {
    const status = this.statuses[id] ?? (typeof document.n === 'number' ? 201 : 400);
    if (!this.indexes.has(index))
      return {
        index: { status: 404, error: { type: 'index_not_found_exception', reason: `no such index [${index}]` } },
      };
    if (status === 400)
      return {
        index: {
          status,
          error: { type: 'document_parsing_exception', reason: `failed to parse field [n] of type [long]` },
        },
      };
    if (status > 299)
      return { index: { status, error: { type: 'es_rejected_execution_exception', reason: 'rejected' } } };
    this.documents.set(id, document);
    return { index: { status } };
  }

  private asMeilisearch({ method, path, body, headers, query }: ServiceRequest): ServiceAnswer {
    const [, kind, name = '', action] = path.split('/');
    if (headers.authorization === 'Bearer wrong')
      return {
        status: 403,
        body: { message: 'The provided API key is invalid.', code: 'invalid_api_key', type: 'auth' },
      };
    if (kind === 'tasks') return { body: this.tasks.get(Number(name)) };
    if (method === 'GET')
      return this.indexes.has(name)
        ? { body: { uid: name, primaryKey: null } }
        : {
            status: 404,
            body: { message: `Index \`${name}\` not found.`, code: 'index_not_found', type: 'invalid_request' },
          };
    if (action !== 'documents') return { status: 405 };
    if (this.failure) return this.failure;
    this.indexes.add(name);
    const documents = JSON.parse(body) as Document[];
    const bad = documents.find(({ n }) => typeof n !== 'number');
    this.task += 1;
    // A failed task adds none of its documents.
    if (!bad)
      for (const document of documents) this.documents.set(String(document[query.get('primaryKey') ?? '']), document);
    const error = {
      message: 'Document has an invalid field',
      code: 'invalid_document_fields',
      type: 'invalid_request',
    };
    const ended = bad ? { status: 'failed', error } : { status: 'succeeded', error: null };
    this.tasks.set(this.task, { uid: this.task, indexUid: name, type: 'documentAdditionOrUpdate', ...ended });
    return {
      status: 202,
      body: { taskUid: this.task, indexUid: name, status: 'enqueued', type: 'documentAdditionOrUpdate' },
    };
  }

  private asQuickwit({ method, path, body, query }: ServiceRequest): ServiceAnswer {
    const [, , , first = '', name = ''] = path.split('/');
    if (first === 'indexes' && method === 'GET')
      return this.indexes.has(name)
        ? { body: { index_id: name } }
        : { status: 404, body: { message: `index \`${name}\` not found` } };
    if (first === 'indexes') return this.create(/index_id: (\S+)/.exec(body)?.[1] ?? '', { version: '0.9' });
    return this.failure ?? this.ingested(body, query.get('detailed_response') === 'true');
  }

  private ingested(body: string, isDetailed: boolean): ServiceAnswer {
    const lines = body.trimEnd().split('\n');
    const failed = lines.filter((line) => typeof (JSON.parse(line) as Document).n !== 'number');
    for (const line of lines) if (!failed.includes(line)) this.documents.set(line, JSON.parse(line) as Document);
    const failures = failed.map((document) => ({ message: 'expected i64', document, reason: 'invalid_schema' }));
    return {
      body: {
        ...{ num_docs_for_processing: lines.length, num_ingested_docs: lines.length - failed.length },
        ...{
          num_rejected_docs: failed.length,
          ...(isDetailed && { parse_failures: failures }),
        },
      },
    };
  }

  private create(index: string, body: object): ServiceAnswer {
    this.indexes.add(index);
    return { body };
  }
}
