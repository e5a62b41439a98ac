import type { OutboundAnswer } from '@libs/outbound';
import { BrokerError } from '../../../control/broker-error.js';
import { ConnectorFault } from '../../delivery/connector-fault.js';
import type { ConnectorMessage } from '../../delivery/connector-message.js';
import { MessageRefused } from '../../delivery/message-refused.js';
import { partsOf } from '../../delivery/send-apart.js';
import { below, excerptOf, jsonOf, returned, type HttpDestination } from '../http/http-destination.js';
import { serviceOf } from '../http/http-service.js';
import { mapped, membersOf, withinBytes, type Mapped } from '../payloads.js';
import type { PluginOptions } from '../plugin-options.js';
import type { Outcome, PluginContext, SinkPlugin } from '../plugin.js';

/** The service accepts 10 MB in a request. */
const LARGEST_BYTES = 9 * 1024 * 1024;
const MOST_DOCUMENTS = 1_000;
const ANSWER_BYTES = 16 * 1024 * 1024;
const API = ['api', 'v1'] as const;

interface Ingested {
  num_rejected_docs?: number;
  parse_failures?: { document?: string; message?: string; reason?: string }[];
}

/**
 * Adds messages to an index of Quickwit, and creates the index from its configuration. The service names the documents that it
 * cannot parse. It has no ids of documents, so a repetition after a crash adds a document twice.
 */
export class QuickwitSink implements SinkPlugin {
  private readonly base: URL;
  private readonly http: HttpDestination;
  private readonly config: string;
  private readonly index: string;

  constructor(options: PluginOptions, context: PluginContext) {
    ({ base: this.base, http: this.http } = serviceOf(options, context));
    this.config = options.text('index');
    this.index = indexIn(this.config);
  }

  async open(): Promise<void> {
    const url = below(this.base, [...API, 'indexes', this.index]);
    const answer = await this.http.request({ url, method: 'GET' }, null);
    if (answer.status === 200) return;
    if (answer.status !== 404) throw new BrokerError(failure(answer));
    const headers = { 'content-type': 'application/yaml' };
    const creation = await this.http.request(
      { url: below(this.base, [...API, 'indexes']), method: 'POST', headers, body: this.config },
      null,
    );
    if (creation.status !== 200) throw new BrokerError(failure(creation));
  }

  async deliver(messages: readonly ConnectorMessage[], outcome: Outcome, signal: AbortSignal): Promise<void> {
    for (const part of partsOf(messages, MOST_DOCUMENTS)) {
      const documents = await mapped(part, documentOf, outcome);
      for (const some of withinBytes(documents, LARGEST_BYTES))
        if (!signal.aborted) await this.ingest(some, outcome, signal);
    }
  }

  async close(): Promise<void> {
    await this.http.close();
  }

  private async ingest(documents: readonly Mapped<string>[], outcome: Outcome, signal: AbortSignal): Promise<void> {
    const url = below(this.base, [...API, this.index, 'ingest'], { commit: 'auto', detailed_response: 'true' });
    const body = documents.map(({ value }) => `${value}\n`).join('');
    const headers = { 'content-type': 'application/x-ndjson' };
    const answer = await this.http.request({ url, method: 'POST', headers, body, maxBodyBytes: ANSWER_BYTES }, signal);
    if (answer.status !== 200) throw new BrokerError(failure(answer));
    const { parse_failures: failures = [] } = (jsonOf(answer) ?? {}) as Ingested;
    const reasons = new Map(
      failures.map(({ document = '', reason = '', message = '' }) => [document.trim(), `${reason}: ${message}`]),
    );
    const refused = documents.filter(({ value }) => reasons.has(value));
    const accepted = documents.filter(({ value }) => !reasons.has(value));
    if (accepted.length > 0) await outcome.taken(accepted.map(({ message }) => message));
    if (refused.length > 0)
      await outcome.refused(refused.map(({ message, value }) => ({ message, reason: reasons.get(value) ?? '' })));
  }
}

function documentOf(message: ConnectorMessage): string {
  const text = JSON.stringify(membersOf(message));
  if (Buffer.byteLength(text) < LARGEST_BYTES) return text;
  throw new MessageRefused('the document is larger than the service accepts');
}

/** The id of the index in its configuration. */
function indexIn(config: string): string {
  const [, id] = /^index_id:\s*["']?([A-Za-z][A-Za-z0-9._-]{2,254})["']?\s*(?:#.*)?$/m.exec(config) ?? [];
  if (id !== undefined) return id;
  throw new ConnectorFault('plugin_config.index must be a configuration with index_id');
}

const failure = (answer: OutboundAnswer): string => `${returned(answer)}: ${excerptOf(answer)}`;
