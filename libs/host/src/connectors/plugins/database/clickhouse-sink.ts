import { createHash } from 'node:crypto';
import type { OutboundAnswer } from '@libs/outbound';
import { BrokerError } from '../../../control/broker-error.js';
import type { ConnectorMessage } from '../../delivery/connector-message.js';
import { MessageRefused } from '../../delivery/message-refused.js';
import { partsOf, sendApart } from '../../delivery/send-apart.js';
import { below, excerptOf, HttpDestination, returned, urlOf } from '../http/http-destination.js';
import { mapped, membersOf } from '../payloads.js';
import type { PluginOptions } from '../plugin-options.js';
import type { Outcome, PluginContext, SinkPlugin } from '../plugin.js';

const MOST_ROWS = 10_000;
const UNKNOWN_SETTING = 'exception 115:';
const LONGEST_RETRY_MS = 30_000;
/**
 * Codes of exceptions about the content of rows: text, numbers, dates and addresses that cannot be parsed, unknown fields,
 * values out of range, nulls, and violated constraints.
 */
const OF_A_ROW = [6, 26, 27, 32, 33, 38, 41, 53, 69, 70, 72, 117, 131, 321, 349, 376, 441, 469, 675, 676];

/**
 * Adds messages to a table of ClickHouse over HTTP: the members of a JSON payload are columns. A repeated batch has the same
 * token, with which tables that deduplicate drop it.
 */
export class ClickhouseSink implements SinkPlugin {
  private readonly base: URL;
  private readonly http: HttpDestination;
  private readonly database: string;
  private readonly table: string;
  private readonly headers: Record<string, string>;
  private readonly isVerbose: boolean;
  private hasTokens = true;

  constructor(
    options: PluginOptions,
    private readonly context: PluginContext,
  ) {
    this.base = urlOf('url', options.text('url'), context);
    this.database = options.textOr('database', 'default');
    this.table = options.text('table');
    this.isVerbose = options.flag('verbose_logging', false);
    this.headers = {
      'x-clickhouse-user': options.textOr('username', 'default'),
      'x-clickhouse-key': options.textOr('password', ''),
    };
    const repetitions = {
      most: options.count('max_retries', 3),
      delayMs: options.count('retry_delay', 1) * 1_000,
      ...{ factor: 2, longestMs: LONGEST_RETRY_MS },
    };
    this.http = new HttpDestination(
      { timeoutMs: options.count('timeout_seconds', 30, 1) * 1_000, repetitions },
      context,
    );
  }

  async open(): Promise<void> {
    await this.query(`select 1 from ${this.target} limit 0`, '', null);
    // Servers before 2022 do not know the setting.
    const settings = { insert_deduplication_token: 'known' };
    this.hasTokens = await this.query('select 1', '', null, settings).then(
      () => true,
      (error: unknown) => !(error instanceof BrokerError && error.message.includes(UNKNOWN_SETTING)),
    );
  }

  async deliver(messages: readonly ConnectorMessage[], outcome: Outcome, signal: AbortSignal): Promise<void> {
    for (const part of partsOf(messages, MOST_ROWS)) {
      const all = await mapped(part, (message) => JSON.stringify(membersOf(message)), outcome);
      const rows = new Map(all.map(({ message, value }) => [message, value]));
      const insert = (some: readonly ConnectorMessage[]): Promise<void> => this.insert(some, rows, signal);
      await sendApart([...rows.keys()], insert, outcome, signal);
    }
  }

  async close(): Promise<void> {
    await this.http.close();
  }

  private get target(): string {
    return `${quoted(this.database)}.${quoted(this.table)}`;
  }

  private async insert(
    messages: readonly ConnectorMessage[],
    rows: ReadonlyMap<ConnectorMessage, string>,
    signal: AbortSignal,
  ): Promise<void> {
    const token = createHash('sha256')
      .update(messages.map(({ id }) => id).join('\n'))
      .digest('hex');
    const body = messages.map((message) => `${rows.get(message)}\n`).join('');
    await this.query(`insert into ${this.target} format JSONEachRow`, body, signal, {
      ...(this.hasTokens && { insert_deduplication_token: token }),
      // An unknown member is an error, because a lost member is lost data.
      input_format_skip_unknown_fields: '0',
    });
    if (this.isVerbose) this.context.log.info('rows added', { rows: messages.length });
  }

  /** An exception may also come with 200, when it happens after the start of the answer. */
  private async query(
    query: string,
    body: string,
    signal: AbortSignal | null,
    settings: Record<string, string> = {},
  ): Promise<void> {
    const url = below(this.base, [], { query, wait_end_of_query: '1', ...settings });
    // The server also answers a wrong row with 500, so the code of the exception decides. A transient one comes back later.
    const isException = (answer: OutboundAnswer): boolean => codeOf(answer) !== null;
    const answer = await this.http.request({ url, method: 'POST', headers: this.headers, body }, signal, isException);
    const code = codeOf(answer);
    if (answer.status === 200 && code === null) return;
    const reason = code === null ? returned(answer) : `exception ${code}: ${excerptOf(answer)}`;
    throw OF_A_ROW.includes(code ?? 0) ? new MessageRefused(reason) : new BrokerError(reason);
  }
}

const quoted = (name: string): string => `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``;

/** The code of an exception, from its header or its text. */
function codeOf(answer: OutboundAnswer): number | null {
  const text =
    answer.headers['x-clickhouse-exception-code'] ??
    /(?:^|\n)Code: (\d+)[.,].{0,40}DB::Exception/.exec(answer.body.toString('utf8'))?.[1];
  return text === undefined ? null : Number(text);
}
