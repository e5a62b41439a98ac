import { createHash } from 'node:crypto';
import type { OutboundAnswer } from '@libs/outbound';
import { BrokerError } from '../../../control/broker-error.js';
import type { ConnectorMessage } from '../../delivery/connector-message.js';
import { MessageRefused } from '../../delivery/message-refused.js';
import { pause } from '../../delivery/pause.js';
import { partsOf, sendApart } from '../../delivery/send-apart.js';
import { below, jsonOf, returned, type HttpDestination } from '../http/http-destination.js';
import { serviceOf } from '../http/http-service.js';
import { mapped, membersOf, metadataOf } from '../payloads.js';
import type { PluginOptions } from '../plugin-options.js';
import type { Outcome, PluginContext, SinkPlugin } from '../plugin.js';

interface Task {
  taskUid?: number;
  status?: string;
  error?: { code?: string; type?: string; message?: string } | null;
}

/** Codes of tasks that failed because of a document. Others are about the index, the key or the server. */
const OF_A_DOCUMENT = /document|_geo|vector|max_fields/;
const TASKS = 'tasks';

/**
 * Adds messages to an index of Meilisearch. The service takes a batch as a task. By default a batch counts only when its task
 * has succeeded. A failed task adds none of its documents, so the halves of the batch are sent again.
 */
export class MeilisearchSink implements SinkPlugin {
  private readonly base: URL;
  private readonly http: HttpDestination;
  private readonly index: string;
  private readonly primaryKey: string;
  private readonly isUpdate: boolean;
  private readonly creates: boolean;
  private readonly hasMetadata: boolean;
  private readonly batchSize: number;
  private readonly waits: boolean;
  private readonly taskMs: number;
  private readonly pollMs: number;
  private readonly headers: Record<string, string>;

  constructor(options: PluginOptions, context: PluginContext) {
    ({ base: this.base, http: this.http } = serviceOf(options, context, { retryMs: 500 }));
    this.index = options.text('index');
    this.primaryKey = options.textOr('primary_key', 'ld_id');
    this.isUpdate = options.choice('document_action', ['replace', 'update'], 'replace') === 'update';
    this.creates = options.flag('create_index_if_not_exists', true);
    this.hasMetadata = options.flag('include_metadata', true);
    this.batchSize = options.count('batch_size', 1_000, 1);
    this.waits = options.flag('wait_for_tasks', true);
    this.taskMs = options.duration('task_timeout', 30_000);
    this.pollMs = Math.max(options.duration('task_poll_interval', 100), 1);
    const key = options.optionalText('api_key');
    this.headers = { 'content-type': 'application/json', ...(key !== null && { authorization: `Bearer ${key}` }) };
  }

  async open(): Promise<void> {
    const url = below(this.base, ['indexes', this.index]);
    const answer = await this.http.request({ url, method: 'GET', headers: this.headers }, null);
    if (answer.status === 200) return;
    if (answer.status !== 404) throw new BrokerError(failure(answer));
    if (!this.creates) throw new BrokerError(`the index ${this.index} does not exist`);
  }

  async deliver(messages: readonly ConnectorMessage[], outcome: Outcome, signal: AbortSignal): Promise<void> {
    for (const part of partsOf(messages, this.batchSize)) {
      const all = await mapped(part, (message) => this.document(message), outcome);
      const documents = new Map(all.map(({ message, value }) => [message, value]));
      const send = (some: readonly ConnectorMessage[]): Promise<void> =>
        this.add(
          some.map((message) => documents.get(message)),
          signal,
        );
      await sendApart([...documents.keys()], send, outcome, signal);
    }
  }

  async close(): Promise<void> {
    await this.http.close();
  }

  private document(message: ConnectorMessage): Record<string, unknown> {
    const metadata = this.hasMetadata && { ld_metadata: metadataOf(message) };
    return { ...membersOf(message), ...metadata, [this.primaryKey]: documentId(message.id) };
  }

  private async add(documents: readonly unknown[], signal: AbortSignal): Promise<void> {
    const url = below(this.base, ['indexes', this.index, 'documents'], { primaryKey: this.primaryKey });
    const request = { url, method: this.isUpdate ? ('PUT' as const) : ('POST' as const), headers: this.headers };
    const answer = await this.http.request({ ...request, body: JSON.stringify(documents) }, signal);
    if (answer.status === 413) throw new MessageRefused('the documents are larger than the service accepts');
    if (answer.status !== 202) throw new BrokerError(failure(answer));
    const { taskUid } = (jsonOf(answer) ?? {}) as Task;
    if (taskUid === undefined) throw new BrokerError('the destination returned no task');
    if (this.waits) await this.until(taskUid, signal);
  }

  private async until(task: number, signal: AbortSignal): Promise<void> {
    const deadline = Date.now() + this.taskMs;
    const url = below(this.base, [TASKS, String(task)]);
    while (Date.now() < deadline && !signal.aborted) {
      const answer = await this.http.request({ url, method: 'GET', headers: this.headers }, signal);
      if (answer.status !== 200) throw new BrokerError(failure(answer));
      const { status, error } = (jsonOf(answer) ?? {}) as Task;
      if (status === 'succeeded') return;
      if (status === 'failed' || status === 'canceled') throw ofTask(status, error ?? {});
      await pause(this.pollMs, signal);
    }
    throw new BrokerError('the task of the destination did not end in time');
  }
}

function ofTask(status: string, { code = '', type, message = '' }: NonNullable<Task['error']>): Error {
  const reason = `the task ${status}: ${code} ${message.slice(0, 300)}`.trim();
  const isDocument = type === 'invalid_request' && OF_A_DOCUMENT.test(code);
  return isDocument ? new MessageRefused(reason) : new BrokerError(reason);
}

function failure(answer: OutboundAnswer): string {
  const { message } = (jsonOf(answer) ?? {}) as { message?: unknown };
  return typeof message === 'string' ? `${returned(answer)}: ${message.slice(0, 300)}` : returned(answer);
}

/** An id may have letters, digits, - and _. Any other id is replaced by its hash. */
const documentId = (id: string): string =>
  /^[A-Za-z0-9_-]+$/.test(id) ? id : createHash('sha256').update(id).digest('hex');
