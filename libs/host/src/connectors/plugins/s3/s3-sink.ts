import { createHash } from 'node:crypto';
import { HeadBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { BrokerError } from '../../../control/broker-error.js';
import { ConnectorFault } from '../../delivery/connector-fault.js';
import type { ConnectorMessage } from '../../delivery/connector-message.js';
import { partsOf } from '../../delivery/send-apart.js';
import { urlOf } from '../http/http-destination.js';
import { mapped, metadataOf, valueOf, withinBytes, type Mapped } from '../payloads.js';
import type { PluginOptions } from '../plugin-options.js';
import type { Outcome, PluginContext, SinkPlugin } from '../plugin.js';
import { GuardedHandler } from './guarded-handler.js';

const FORMATS = ['json_lines', 'json_array', 'raw'] as const;
const ENDINGS = { json_lines: 'jsonl', json_array: 'json', raw: 'bin' };
const TEMPLATE = '{stream}/{topic}/{date}/{hour}';
const PLACEHOLDERS = ['stream', 'topic', 'date', 'hour'];
const FILE_BYTES = 8 * 1024 * 1024;

/**
 * Puts batches of messages into objects of a bucket. The name of an object follows from the ids of its messages, so a
 * repetition overwrites the object. The only credentials are those of the configuration: the client reads no environment, no
 * profile and no metadata of the machine.
 */
export class S3Sink implements SinkPlugin {
  private readonly bucket: string;
  private readonly prefix: string;
  private readonly template: string;
  private readonly format: (typeof FORMATS)[number];
  private readonly hasMetadata: boolean;
  private readonly mostBytes: number;
  private readonly mostMessages: number;
  private readonly client: S3Client;

  constructor(options: PluginOptions, context: PluginContext) {
    this.bucket = options.text('bucket');
    this.prefix = (options.optionalText('prefix') ?? '').replaceAll(/^\/+|\/+$/g, '');
    this.template = templateOf(options.textOr('path_template', TEMPLATE));
    this.format = options.choice('output_format', FORMATS, 'json_lines');
    this.hasMetadata = options.flag('include_metadata', true);
    const byMessages = options.choice('file_rotation', ['size', 'messages'], 'size') === 'messages';
    this.mostBytes = byMessages ? Infinity : options.bytes('max_file_size', FILE_BYTES);
    this.mostMessages = byMessages ? options.count('max_messages_per_file', 1_000, 1) : Infinity;
    if (this.format === 'raw') this.mostMessages = 1;
    this.client = clientOf(options, context);
  }

  /** A key that may only write gets 403 here. The first object shows whether it may write. */
  async open(): Promise<void> {
    const status = await this.client.send(new HeadBucketCommand({ Bucket: this.bucket })).then(() => 200, statusOf);
    if (status === 404) throw new BrokerError(`the bucket ${this.bucket} does not exist`);
  }

  async deliver(messages: readonly ConnectorMessage[], outcome: Outcome, signal: AbortSignal): Promise<void> {
    const contents = await mapped(messages, (message) => this.content(message), outcome);
    const folders = grouped(contents, folderOf(this.template));
    for (const [folder, inFolder] of folders)
      for (const file of this.filesOf(inFolder)) {
        if (signal.aborted) return;
        await this.put(folder, file);
        await outcome.taken(file.map(({ message }) => message));
      }
  }

  async close(): Promise<void> {
    this.client.destroy();
  }

  private *filesOf(contents: readonly Mapped<string | Buffer>[]): Generator<Mapped<string | Buffer>[]> {
    for (const some of partsOf(contents, Math.min(this.mostMessages, contents.length)))
      yield* withinBytes(some, this.mostBytes);
  }

  private content(message: ConnectorMessage): string | Buffer {
    if (this.format === 'raw') return message.payload;
    const payload = valueOf(message);
    return JSON.stringify(this.hasMetadata ? { metadata: metadataOf(message), payload } : payload);
  }

  private async put(folder: string, file: readonly Mapped<string | Buffer>[]): Promise<void> {
    const ids = createHash('sha256').update(file.map(({ message }) => message.id).join('\n'));
    const name = `${ids.digest('hex').slice(0, 32)}.${ENDINGS[this.format]}`;
    const Key = [this.prefix, folder, name].filter((part) => part !== '').join('/');
    try {
      await this.client.send(new PutObjectCommand({ Bucket: this.bucket, Key, Body: this.body(file) }));
    } catch (error) {
      throw new BrokerError(`the object was not stored: ${wordsOf(error)}`);
    }
  }

  private body(file: readonly Mapped<string | Buffer>[]): Buffer {
    const [first] = file;
    if (this.format === 'raw') return Buffer.from(first?.value ?? '');
    const texts = file.map(({ value }) => String(value));
    return Buffer.from(this.format === 'json_lines' ? `${texts.join('\n')}\n` : `[${texts.join(',')}]`);
  }
}

function clientOf(options: PluginOptions, context: PluginContext): S3Client {
  const region = options.text('region');
  if (!/^[a-z0-9-]{1,64}$/.test(region)) throw new ConnectorFault('plugin_config.region must be the name of a region');
  const own = options.optionalText('endpoint');
  const endpoint = urlOf('endpoint', own ?? `https://s3.${region}.amazonaws.com`, context).href;
  const credentials = {
    accessKeyId: options.text('access_key_id'),
    secretAccessKey: options.text('secret_access_key'),
  };
  return new S3Client({
    // Everything is given: what is missing, the client would read from the environment and the files of the node.
    ...{ region, endpoint, credentials, forcePathStyle: options.flag('path_style', own !== null) },
    ...{
      useFipsEndpoint: false,
      useDualstackEndpoint: false,
      useArnRegion: false,
      disableMultiregionAccessPoints: true,
    },
    ...{ retryMode: 'standard', maxAttempts: 3, defaultsMode: 'standard', ignoreConfiguredEndpointUrls: true },
    ...{ requestChecksumCalculation: 'WHEN_REQUIRED', responseChecksumValidation: 'WHEN_REQUIRED' },
    ...{ disableS3ExpressSessionAuth: true, userAgentAppId: 'landlord' },
    requestHandler: new GuardedHandler(context),
  });
}

function templateOf(template: string): string {
  const unknown = [...template.matchAll(/\{([^}]*)\}/g)].find(([, name = '']) => !PLACEHOLDERS.includes(name));
  if (unknown === undefined) return template.replaceAll(/^\/+|\/+$/g, '');
  throw new ConnectorFault(`plugin_config.path_template has the unknown placeholder ${unknown[0]}`);
}

/** The folder of a message: the template with its values. */
const folderOf =
  (template: string) =>
  ({ message: { stream, topic, takenAtMs } }: Mapped<unknown>): string => {
    const at = new Date(takenAtMs).toISOString();
    const values: Record<string, string> = { stream, topic, date: at.slice(0, 10), hour: at.slice(11, 13) };
    return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
  };

function grouped<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return groups;
}

const statusOf = (error: unknown): number =>
  (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode ?? 0;

function wordsOf(error: unknown): string {
  const { name, message } = error as Error;
  return statusOf(error) === 0 ? message : `${name} (${statusOf(error)}): ${message}`;
}
