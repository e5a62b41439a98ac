import type { OutboundAnswer } from '@libs/outbound';
import { BrokerError } from '../../../control/broker-error.js';
import type { ConnectorMessage } from '../../delivery/connector-message.js';
import { partsOf } from '../../delivery/send-apart.js';
import { below, excerptOf, jsonOf, returned, type HttpDestination } from '../http/http-destination.js';
import { serviceOf } from '../http/http-service.js';
import { mapped, membersOf, withinBytes, type Mapped } from '../payloads.js';
import type { PluginOptions } from '../plugin-options.js';
import type { Outcome, PluginContext, RefusedMessage, SinkPlugin } from '../plugin.js';

const NDJSON = { 'content-type': 'application/x-ndjson' };
const JSON_TYPE = { 'content-type': 'application/json' };
/** Servers accept 100 MB by default, and recommend 5 to 15 MB. */
const LARGEST_BYTES = 8 * 1024 * 1024;
const ANSWER_BYTES = 16 * 1024 * 1024;
const ITEM_MEMBERS = 'errors,items.*.status,items.*.error.type,items.*.error.reason';

interface Item {
  status?: number;
  error?: { type?: string; reason?: string };
}

/**
 * Adds messages to an index of Elasticsearch or OpenSearch by the bulk API. The id of a message is the id of its document, so a
 * repetition overwrites. The API returns 200 with errors inside: each document has its own result.
 */
export class ElasticsearchSink implements SinkPlugin {
  private readonly base: URL;
  private readonly http: HttpDestination;
  private readonly index: string;
  private readonly batchSize: number;
  private readonly creates: boolean;
  private readonly mapping: unknown;
  private readonly authorization: Record<string, string>;

  constructor(options: PluginOptions, context: PluginContext) {
    ({ base: this.base, http: this.http } = serviceOf(options, context));
    this.index = options.text('index');
    this.batchSize = options.count('batch_size', 1_000, 1);
    this.creates = options.flag('create_index_if_not_exists', true);
    this.mapping = options.json('index_mapping');
    const [user, password] = [options.optionalText('username'), options.optionalText('password')];
    const basic = Buffer.from(`${user}:${password ?? ''}`).toString('base64');
    this.authorization = user === null ? {} : { authorization: `Basic ${basic}` };
  }

  async open(): Promise<void> {
    const url = below(this.base, [this.index]);
    const answer = await this.http.request({ url, method: 'HEAD', headers: this.authorization }, null);
    if (answer.status === 200) return;
    if (answer.status !== 404) throw new BrokerError(failure(answer));
    if (!this.creates) throw new BrokerError(`the index ${this.index} does not exist`);
    const body = JSON.stringify(this.mapping === null ? {} : { mappings: this.mapping });
    const headers = { ...JSON_TYPE, ...this.authorization };
    const creation = await this.http.request({ url, method: 'PUT', headers, body }, null);
    // Another client may have created the index at the same moment.
    const exists = creation.status === 400 && excerptOf(creation).includes('resource_already_exists_exception');
    if (creation.status !== 200 && !exists) throw new BrokerError(failure(creation));
  }

  async deliver(messages: readonly ConnectorMessage[], outcome: Outcome, signal: AbortSignal): Promise<void> {
    for (const part of partsOf(messages, this.batchSize)) {
      const documents = await mapped(part, (message) => JSON.stringify(membersOf(message)), outcome);
      for (const some of withinBytes(documents, LARGEST_BYTES)) await this.bulk(some, outcome, signal);
    }
  }

  async close(): Promise<void> {
    await this.http.close();
  }

  private async bulk(documents: readonly Mapped<string>[], outcome: Outcome, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const lines = documents.map(
      ({ message, value }) => `${JSON.stringify({ index: { _id: message.id } })}\n${value}\n`,
    );
    const url = below(this.base, [this.index, '_bulk'], { filter_path: ITEM_MEMBERS });
    const headers = { ...NDJSON, ...this.authorization };
    const request = { url, method: 'POST' as const, headers, body: lines.join(''), maxBodyBytes: ANSWER_BYTES };
    const answer = await this.http.request(request, signal);
    if (answer.status === 413) return this.bulkHalves(documents, outcome, signal);
    if (answer.status !== 200) throw new BrokerError(failure(answer));
    const { items = [] } = (jsonOf(answer) ?? {}) as { items?: Record<string, Item>[] };
    if (items.length !== documents.length)
      throw new BrokerError('the destination returned no result for each document');
    await this.end(
      documents,
      items.map((item) => Object.values(item)[0] ?? {}),
      outcome,
    );
  }

  /** A proxy before the cluster accepts less than the cluster. */
  private async bulkHalves(documents: readonly Mapped<string>[], outcome: Outcome, signal: AbortSignal): Promise<void> {
    const [only] = documents;
    if (only && documents.length === 1)
      return outcome.refused([{ message: only.message, reason: 'the document is larger than the service accepts' }]);
    const middle = Math.ceil(documents.length / 2);
    await this.bulk(documents.slice(0, middle), outcome, signal);
    await this.bulk(documents.slice(middle), outcome, signal);
  }

  /** Rejects after the report when some documents may be taken later. */
  private async end(documents: readonly Mapped<string>[], items: readonly Item[], outcome: Outcome): Promise<void> {
    const results = documents.map(({ message }, at) => ({ message, ...resultOf(items[at] ?? {}) }));
    const accepted = results.filter(({ kind }) => kind === 'taken');
    const refused: RefusedMessage[] = results.filter(({ kind }) => kind === 'refused');
    if (accepted.length > 0) await outcome.taken(accepted.map(({ message }) => message));
    if (refused.length > 0) await outcome.refused(refused.map(({ message, reason }) => ({ message, reason })));
    const later = results.find(({ kind }) => kind === 'later');
    if (later) throw new BrokerError(`the destination refused documents: ${later.reason}`);
  }
}

function resultOf({ status = 0, error }: Item): { kind: 'taken' | 'refused' | 'later'; reason: string } {
  const reason = `${error?.type ?? `status ${status}`}: ${(error?.reason ?? '').slice(0, 300)}`;
  if (status >= 200 && status < 300) return { kind: 'taken', reason: '' };
  return { kind: isAboutDocument(status, error?.type) ? 'refused' : 'later', reason };
}

/** 400 is about the document. 404 and 403 are about the index and the user, 429 and 5xx may pass. */
const isAboutDocument = (status: number, type = ''): boolean =>
  (status === 400 && !/index_closed|illegal_state/.test(type)) || status === 409 || status === 413;

function failure(answer: OutboundAnswer): string {
  const { error } = (jsonOf(answer) ?? {}) as { error?: { reason?: unknown } | string };
  const reason = typeof error === 'object' ? error.reason : error;
  return typeof reason === 'string' ? `${returned(answer)}: ${reason.slice(0, 300)}` : returned(answer);
}
