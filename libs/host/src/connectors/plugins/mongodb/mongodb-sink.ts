import { crc32 } from 'node:zlib';
import { dialGuarded } from '@libs/outbound';
import { Binary, BSON, MongoBulkWriteError, MongoClient, type Collection } from 'mongodb';
import { BrokerError } from '../../../control/broker-error.js';
import type { ConnectorMessage } from '../../delivery/connector-message.js';
import { MessageRefused } from '../../delivery/message-refused.js';
import { partsOf } from '../../delivery/send-apart.js';
import { mapped, valueOf, type Mapped } from '../payloads.js';
import type { PluginOptions } from '../plugin-options.js';
import type { Outcome, PluginContext, SinkPlugin } from '../plugin.js';
import { GuardedRelay, type Dial } from './guarded-relay.js';
import { mongodbAddress } from './mongodb-address.js';

interface Document {
  _id: string;
  [member: string]: unknown;
}

const FORMATS = ['binary', 'json', 'string'] as const;
const SELECTION_MS = 10_000;
/** A document of the server has at most 16 MiB. */
const LARGEST_BYTES = 16 * 1024 * 1024 - 16 * 1024;
const DUPLICATE = 11_000;
const EXISTS = 48;
/** Codes about one document: bad values and names of members, too large, refused by the validator or by a unique index. */
const OF_A_DOCUMENT = [2, 9, 14, 52, 53, 54, 55, 57, 121, 10334, 17280, DUPLICATE];

/**
 * Adds messages to a collection of MongoDB. The id of a message is the id of its document, so a repetition changes nothing.
 * Every connection, also to members that a replica set announces, is opened by the guarded dialer.
 */
export class MongodbSink implements SinkPlugin {
  private readonly uri: string;
  private readonly database: string;
  private readonly collection: string;
  private readonly poolSize: number | null;
  private readonly creates: boolean;
  private readonly batchSize: number;
  private readonly hasMetadata: boolean;
  private readonly hasChecksum: boolean;
  private readonly format: (typeof FORMATS)[number];
  private relay: GuardedRelay | null = null;
  private client: MongoClient | null = null;

  constructor(
    options: PluginOptions,
    private readonly context: PluginContext,
    private readonly dial: Dial = dialGuarded,
  ) {
    this.uri = mongodbAddress(options.text('connection_uri'));
    this.database = options.text('database');
    this.collection = options.text('collection');
    this.poolSize = options.optionalCount('max_pool_size');
    this.creates = options.flag('auto_create_collection', false);
    this.batchSize = options.count('batch_size', 100, 1);
    this.hasMetadata = options.flag('include_metadata', true);
    this.hasChecksum = options.flag('include_checksum', true);
    this.format = options.choice('payload_format', FORMATS, 'binary');
  }

  async open(): Promise<void> {
    await this.close();
    this.relay = await GuardedRelay.start(this.context, this.dial);
    const { port: proxyPort, username: proxyUsername, password: proxyPassword } = this.relay;
    this.client = new MongoClient(this.uri, {
      ...{ proxyHost: '127.0.0.1', proxyPort, proxyUsername, proxyPassword },
      ...(this.poolSize !== null && { maxPoolSize: this.poolSize }),
      ...(!/serverSelectionTimeoutMS=/i.test(this.uri) && { serverSelectionTimeoutMS: SELECTION_MS }),
      appName: 'landlord-connector',
    });
    await this.asked(async (client) => {
      const database = client.db(this.database);
      const collections = await database.listCollections({ name: this.collection }, { nameOnly: true }).toArray();
      if (collections.length > 0) return;
      if (!this.creates) throw new BrokerError(`the collection ${this.collection} does not exist`);
      await database.createCollection(this.collection).catch((error: unknown) => {
        if ((error as { code?: unknown }).code !== EXISTS) throw error;
      });
    });
  }

  async deliver(messages: readonly ConnectorMessage[], outcome: Outcome, signal: AbortSignal): Promise<void> {
    for (const part of partsOf(messages, this.batchSize)) {
      if (signal.aborted) return;
      const documents = await mapped(part, (message) => this.document(message), outcome);
      if (documents.length > 0) await this.insert(documents, outcome);
    }
  }

  async close(): Promise<void> {
    const { client, relay } = this;
    [this.client, this.relay] = [null, null];
    await client?.close(true).catch(() => undefined);
    relay?.close();
  }

  private document(message: ConnectorMessage): Document {
    const { id, stream, topic, takenAtMs, payload } = message;
    const document = {
      _id: id,
      ...(this.hasMetadata && { stream, topic, received_at: new Date(takenAtMs) }),
      ...(this.hasChecksum && { checksum: crc32(payload) }),
      payload: this.payload(message),
    };
    try {
      if (BSON.calculateObjectSize(document) <= LARGEST_BYTES) return document;
    } catch (error) {
      throw new MessageRefused(`the payload cannot be a document: ${(error as Error).message}`);
    }
    throw new MessageRefused('the document is larger than the server accepts');
  }

  private payload(message: ConnectorMessage): unknown {
    if (this.format === 'json') return valueOf(message);
    return this.format === 'string' ? message.payload.toString('utf8') : new Binary(message.payload);
  }

  private async insert(documents: readonly Mapped<Document>[], outcome: Outcome): Promise<void> {
    const errors = await this.asked((client) =>
      inserted(client.db(this.database).collection(this.collection), documents),
    );
    const refused = documents.flatMap(({ message }, at) => {
      const reason = errors.get(at);
      return reason === undefined ? [] : [{ message, reason }];
    });
    const stored = documents.filter((_, at) => !errors.has(at));
    if (stored.length > 0) await outcome.taken(stored.map(({ message }) => message));
    if (refused.length > 0) await outcome.refused(refused);
  }

  /** Adds the reason of the dialer, which the driver does not know. */
  private async asked<T>(work: (client: MongoClient) => Promise<T>): Promise<T> {
    const { client, relay } = this;
    if (client === null || relay === null) throw new BrokerError('the sink is not open');
    try {
      return await work(client);
    } catch (error) {
      if (error instanceof BrokerError) throw error;
      const { message } = error as Error;
      const isRelayed = /socks5/i.test(message) && relay.lastRefusal !== null;
      throw new BrokerError(isRelayed ? `the database cannot be reached: ${relay.lastRefusal}` : message);
    }
  }
}

/** The reasons of refused documents by their place. Rejects when the server refuses for another reason. */
async function inserted(
  collection: Collection<Document>,
  documents: readonly Mapped<Document>[],
): Promise<Map<number, string>> {
  try {
    await collection.insertMany(
      documents.map(({ value }) => value),
      { ordered: false },
    );
    return new Map();
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError)) throw error;
    const errors = [error.writeErrors].flat();
    const other = errors.find(({ code }) => !OF_A_DOCUMENT.includes(code));
    if (errors.length === 0 || other) throw error;
    const refused = errors.filter(({ code, errmsg = '' }) => code !== DUPLICATE || !errmsg.includes('_id_'));
    return new Map(refused.map(({ index, code, errmsg = '' }) => [index, `error ${code}: ${errmsg.slice(0, 300)}`]));
  }
}
