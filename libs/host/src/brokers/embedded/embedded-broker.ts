import type { Duplex } from 'node:stream';
import { Aedes, type AedesOptions, type AuthenticateError, type Client, type PublishPacket } from 'aedes';
import { DurablePersistence, type StampedPacket } from './store/durable-persistence.js';
import type { EmbeddedConfig } from './embedded-config.js';
import type { EmbeddedValues } from '@libs/broker-config';
import { previewOf } from '../../gate/ui/payload-preview.js';
import { RetainedCollector, type RetainedSnapshot } from '../../gate/ui/retained-snapshot.js';
import { KeptMessages } from './store/kept-messages.js';
import { LiveCopies } from './live-copies.js';
import { avoidNumbers } from './message-numbers.js';
import { sealValues } from './store/sealed-level.js';
import { ReaderFlow, type FlowSetup } from './reader-flow.js';
import { StorageWatch } from './store/storage-watch.js';
import { ClassicLevel } from 'classic-level';
import { copyStore } from './store/copy-store.js';
import type { ValueCipher } from '../encryption/value-cipher.js';
import { WriteHold } from './store/write-hold.js';
import { MqttConnection, PacketTooLarge } from '../../gate/mqtt/mqtt-connection.js';
import { PublishRate } from '../../gate/rate/publish-rate.js';
import type { ClientNotices } from '../../gate/clients/client-notices.js';
import { SHARED } from '../../gate/clients/refused-packets.js';
import type { ClientLogins } from '../../gate/logins/client-logins.js';
import { REFUSED } from '../../gate/logins/connect-packet.js';
import type { ConnectionObserver } from '../../gate/clients/client-session.js';
import { TopicCounts } from '../../gate/clients/topic-counts.js';
import { Traffic } from '../../gate/traffic.js';

/** CONNACK codes of MQTT 3.1.1. */
const SERVER_UNAVAILABLE = 3;
const BAD_CREDENTIALS = REFUSED.notAuthorized;

type Done = (error?: Error | null) => void;

/** Why no client may publish to a topic, also by its will. `$SYS` is the broker's, and MQTT forbids the null character (MQTT-1.5.4-2). */
function topicFault(topic: string): string | null {
  if (topic.includes('\0')) return 'a topic has no null character';
  return topic.startsWith('$SYS/') ? 'topics below $SYS are those of the broker' : null;
}

/** The MQTT broker of a leader: one account, and all data durable in the node's data directory. */
export class EmbeddedBroker {
  readonly traffic = new Traffic();
  private readonly copies = new LiveCopies();
  readonly topics = new TopicCounts();
  private readonly subscriptions = new Map<string, Set<string>>();
  private readonly aedes: Aedes & { counter: number };
  private readonly persistence: DurablePersistence;
  private readonly database: ClassicLevel;
  private readonly writes: WriteHold;
  private readonly storage: StorageWatch;
  private readonly kept: KeptMessages;
  private readonly rate: PublishRate | null;
  private readonly flows = new WeakMap<Client, ReaderFlow>();
  private readonly flowSetup: FlowSetup;
  private slowConsumers = 0;
  private droppedMessages = 0;

  constructor(
    private readonly config: Pick<EmbeddedConfig, 'node_id' | 'data_dir' | 'storage_mib' | 'rate_limit'>,
    private readonly values: EmbeddedValues,
    private readonly logins: ClientLogins,
    /** Null: the data is not encrypted. */
    cipher: ValueCipher | null,
    private readonly notices: ClientNotices | null = null,
  ) {
    this.rate = config.rate_limit ? new PublishRate(config.rate_limit.bytes_per_second) : null;
    this.database = new ClassicLevel(config.data_dir);
    if (cipher) sealValues(this.database, cipher);
    this.writes = new WriteHold(this.database);
    this.storage = new StorageWatch(config.data_dir, config.storage_mib);
    this.persistence = new DurablePersistence(this.database);
    this.kept = new KeptMessages(this.database, (topic) => this.topics.note(topic));
    this.flowSetup = {
      drainTimeoutMs: values['mqtt.drain_timeout'] * 1_000,
      stored: (client) => this.persistence.outgoingStream(client),
      onStall: () => (this.slowConsumers += 1),
      onDrop: () => (this.droppedMessages += 1),
    };
    this.aedes = new Aedes(this.options()) as Aedes & { counter: number };
    this.aedes.on('clientReady', (client) => this.flows.get(client)?.ready());
    this.countTraffic();
    this.tellErrors();
  }

  /** Opens the store. Rejects when another process has it open. Calls `onBroken` once when the store fails later. */
  async start(onBroken: (error: Error) => void): Promise<void> {
    await this.database.open();
    await this.storage.start();
    this.aedes.once('error', onBroken);
    await this.aedes.listen();
    this.kept.start();
  }

  /** Serves one client over TCP, WebSocket or a follower's connection. The follower observes its own clients. */
  accept(transport: Duplex, observer: ConnectionObserver | null): void {
    const limit = this.values['mqtt.max_packet_size'];
    const connection: Duplex = new MqttConnection(transport, limit, this.traffic, observer, this.rate);
    this.aedes.handle(connection);
  }

  /** Makes a consistent copy of the store. Publishers wait during the copy. */
  freeze(to: string): Promise<void> {
    return this.writes.during(() => copyStore(this.config.data_dir, to));
  }

  async stop(): Promise<void> {
    this.storage.stop();
    this.kept.stop();
    await new Promise<void>((resolve) => this.aedes.close(() => resolve()));
    await this.database.close();
  }

  /** The retained messages, up to the limits of the page. */
  async readRetained(): Promise<RetainedSnapshot> {
    const collector = new RetainedCollector();
    for await (const packet of this.persistence.createRetainedStream('#') as AsyncIterable<PublishPacket>) {
      const payload = Buffer.from(packet.payload);
      if (!collector.add({ topic: packet.topic, qos: packet.qos, ...previewOf(payload) })) break;
    }
    return collector.snapshot();
  }

  stats(): Record<string, number> {
    return {
      messages_received: this.traffic.messagesReceived,
      messages_sent: this.traffic.messagesSent,
      bytes_received: this.traffic.bytesReceived,
      bytes_sent: this.traffic.bytesSent,
      slow_consumers: this.slowConsumers,
      dropped_messages: this.droppedMessages,
      storage_full: this.storage.isFull ? 1 : 0,
      topics: this.topics.size,
      ...(this.kept.count !== null && { messages: this.kept.count }),
      subscriptions: [...this.subscriptions.values()].reduce((sum, topics) => sum + topics.size, 0),
    };
  }

  private options(): AedesOptions {
    const { values } = this;
    return {
      // Queued messages are ordered by broker id, then counter. An id that grows with each start keeps that order over
      // restarts, and never reuses the key of a waiting message.
      id: `n${this.config.node_id}-${Date.now().toString().padStart(15, '0')}`,
      persistence: this.persistence,
      concurrency: values['mqtt.concurrency'],
      heartbeatInterval: values['mqtt.heartbeat_interval'] * 1000,
      connectTimeout: values['mqtt.connect_timeout'] * 1000,
      drainTimeout: values['mqtt.drain_timeout'] * 1000,
      keepaliveLimit: values['mqtt.keepalive_limit'],
      maxInflightInbound: values['mqtt.max_inflight_inbound'],
      maxTopicLevels: values['mqtt.max_topic_levels'],
      preConnect: (client, { clean, will }, callback) => {
        this.copies.replaceGuard(client);
        this.flows.set(client, ReaderFlow.begin(client, clean === false, this.flowSetup));
        // A will is published without `authorizePublish` when this process starts again after a crash.
        if (will && topicFault(will.topic) !== null) return callback(new Error(topicFault(will.topic) ?? ''), false);
        callback(null, true);
      },
      authenticate: (client, username, password, callback) => {
        const code = this.refusal(client, username, password);
        if (code === null) return void this.openSession(client, callback);
        callback(Object.assign(new Error('connection refused'), { returnCode: code }), false);
      },
      authorizePublish: (client, packet, callback) => this.authorizePublish(client?.id ?? '', packet, callback),
      authorizeSubscribe: (client, subscription, callback) => {
        const isShared = subscription.topic.startsWith(SHARED);
        if (isShared) this.notices?.packet('shared subscription refused', { client_id: client.id });
        callback(null, isShared ? null : subscription);
      },
      authorizeForward: (client, packet) => {
        if (!this.copies.isFirst(client, packet)) return null;
        this.traffic.messagesSent += 1;
        return packet;
      },
    };
  }

  private refusal(client: Client, username: string | undefined, password: Buffer | undefined): number | null {
    const login = this.logins.verify(username ?? '', password ?? '');
    if (login === null) return BAD_CREDENTIALS;
    if (this.aedes.connectedClients >= this.values['mqtt.max_connections']) return SERVER_UNAVAILABLE;
    const { conn } = client;
    conn.once(
      'close',
      this.logins.hold(login, () => conn.destroy()),
    );
    return null;
  }

  /** Before aedes restores the session. */
  private openSession(client: Client, callback: (error: AuthenticateError | null, isAccepted: boolean) => void): void {
    this.persistence.usedNumbers(client.id).then(
      (used) => {
        avoidNumbers(client, used);
        callback(null, true);
      },
      () => callback(Object.assign(new Error('connection refused'), { returnCode: SERVER_UNAVAILABLE }), false),
    );
  }

  private publishRefusal({ topic }: PublishPacket): string | null {
    return topicFault(topic) ?? (this.storage.isFull ? 'the storage of the node is full' : null);
  }

  private authorizePublish(publisher: string, packet: PublishPacket, callback: Done): void {
    const refusal = this.publishRefusal(packet);
    if (refusal !== null) return callback(new Error(refusal));
    if (!this.values['mqtt.retain_enabled']) packet.retain = false;
    if (packet.qos > 0 || packet.retain) this.storage.add(packet.payload.length);
    if (packet.qos === 0) return callback(null);
    const stamped: StampedPacket = Object.assign(packet, {
      brokerId: this.aedes.id,
      brokerCounter: ++this.aedes.counter,
    });
    // The broker itself stores a message of QoS 2 with its number, if it is new.
    if (packet.qos === 2) return callback(null);
    this.persistence.storeAhead(publisher, stamped).then(() => callback(null), callback);
  }

  /** aedes disconnects a client for a packet that it does not take, and for a broken connection. */
  private tellErrors(): void {
    this.aedes.on('clientError', ({ id }, error) => {
      if (error instanceof PacketTooLarge)
        this.notices?.packet('client closed: the packet is too large', { client_id: id });
      else if (!('code' in error)) this.notices?.packet('client closed', { client_id: id, reason: error.message });
    });
  }

  private countTraffic(): void {
    this.aedes.on('publish', (packet, client) => {
      if (client === null) return;
      this.traffic.messagesReceived += 1;
      this.topics.add(packet.topic);
    });
    this.aedes.on('subscribe', (subscriptions, client) => {
      const topics = this.subscriptions.get(client.id) ?? new Set<string>();
      for (const { topic } of subscriptions) if (!topic.startsWith(SHARED)) topics.add(topic);
      this.subscriptions.set(client.id, topics);
    });
    this.aedes.on('unsubscribe', (topics, client) => {
      for (const topic of topics) this.subscriptions.get(client.id)?.delete(topic);
    });
    this.aedes.on('clientDisconnect', (client) => this.subscriptions.delete(client.id));
  }
}
