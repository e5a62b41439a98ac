import { createHash } from 'node:crypto';
import { MqttClient, type IPublishPacket } from 'mqtt';
import { BrokerError } from '../../control/broker-error.js';
import { enterBroker } from '../../control/inlet.js';
import { idIn } from './connector-message.js';
import type { Arrival, BrokerAccess, OnArrival, Session } from './session.js';

const SIGN_IN_TIMEOUT_MS = 5_000;
const KEEPALIVE_S = 30;
const PING_EVERY_MS = (KEEPALIVE_S * 1_000) / 2;
/** A broker that has sent nothing for this long is dead. */
const SILENCE_MS = KEEPALIVE_S * 1_500;
const PUBACK = 0x40;
const PINGREQ = Buffer.from([0xc0, 0]);

/**
 * One connection to the broker, with a persistent session. The connection is never repaired. After its end the next one starts
 * with all unacknowledged messages.
 */
export class BrokerSession implements Session {
  /** Resolves, never rejects, when the connection has ended. */
  readonly over: Promise<void>;
  readonly backlog = null;
  private isOver = false;
  private unnumbered = 0;
  /** Messages whose receiver has no space for more. The connection is not read while there is one. */
  private holding = 0;
  private heardAt = Date.now();
  /** Rejection callbacks of pending work, for the end of the connection. */
  private readonly pending = new Set<(error: BrokerError) => void>();

  private constructor(private readonly client: MqttClient) {
    const pings = setInterval(() => this.ping(), PING_EVERY_MS).unref();
    this.over = new Promise((resolve) => {
      client.once('close', () => {
        this.isOver = true;
        clearInterval(pings);
        for (const fail of this.pending) fail(ended());
        resolve();
      });
    });
    client.on('error', () => client.end(true));
  }

  /**
   * Calls `onArrival` from the first packet on, because waiting messages of the session arrive at once. Rejects with
   * BrokerError.
   */
  static async open(
    access: BrokerAccess,
    clientId: string,
    clean: boolean,
    onArrival: OnArrival,
  ): Promise<BrokerSession> {
    const socket = await enterBroker(access.home, access.inlet);
    const client = new MqttClient(() => socket, {
      ...{ ...access.credentials, clientId, clean, protocolVersion: 4, keepalive: 0 },
      ...{ reconnectPeriod: 0, connectTimeout: SIGN_IN_TIMEOUT_MS, resubscribe: false },
    });
    const session = new BrokerSession(client);
    client.on('packetsend', (packet) => {
      // The library ends a connection whose answers to pings wait behind messages. So the session itself pings.
      if (packet.cmd === 'connect') packet.keepalive = KEEPALIVE_S;
    });
    client.on('packetreceive', (packet) => {
      session.heardAt = Date.now();
      // The library would acknowledge a message before it is delivered to the destination.
      if (packet.cmd === 'publish' && packet.qos === 1) packet.qos = 0;
    });
    client.handleMessage = (packet, callback) => {
      session.holding += 1;
      void onArrival(session.arrivalOf(packet))
        .finally(() => (session.holding -= 1))
        .then(() => callback(), callback);
    };
    await session.signedIn();
    return session;
  }

  get isAlive(): boolean {
    return !this.isOver;
  }

  /** Resolves when the broker has acknowledged the message. */
  async publish(topic: string, payload: Buffer): Promise<void> {
    await this.whileAlive(this.client.publishAsync(topic, payload, { qos: 1 }));
  }

  async subscribe(topics: readonly string[]): Promise<void> {
    if (topics.length === 0) return;
    const granted = await this.whileAlive(this.client.subscribeAsync([...topics], { qos: 1 }));
    if (granted.some(({ qos }) => qos > 1)) throw new BrokerError('the broker refused a subscription');
  }

  async unsubscribe(topics: readonly string[]): Promise<void> {
    if (topics.length > 0) await this.whileAlive(this.client.unsubscribeAsync([...topics]));
  }

  /** Disconnects, so that all sent data arrives. Closes the socket when that takes too long. */
  async end(): Promise<void> {
    if (this.isOver) return;
    const timer = setTimeout(() => this.client.end(true), SIGN_IN_TIMEOUT_MS / 5);
    await this.client.endAsync().catch(() => undefined);
    clearTimeout(timer);
    this.client.stream.destroy();
  }

  private arrivalOf({ topic, payload, messageId, dup }: IPublishPacket): Arrival {
    const content = Buffer.from(payload);
    const ownId = idIn(content);
    // QoS 0 messages have no number, and each one is a separate message.
    const number = messageId ?? `q${(this.unnumbered += 1)}`;
    return {
      topic,
      payload: content,
      key: ownId ?? `${number}-${createHash('sha256').update(`${topic}\0`).update(content).digest('hex').slice(0, 32)}`,
      isComparable: ownId !== null || dup === true,
      takenAtUs: nextMicrosecond(),
      acknowledge: () => this.acknowledge(messageId),
    };
  }

  /** A message without a number came with QoS 0 and needs no acknowledgement. */
  private acknowledge(messageId: number | undefined): void {
    if (messageId === undefined || this.isOver) return;
    this.client.stream.write(Buffer.from([PUBACK, 2, messageId >> 8, messageId & 0xff]));
  }

  /** A connection that is not read shows nothing about the broker. */
  private ping(): void {
    if (this.isOver || !this.client.connected) return;
    if (this.holding > 0) this.heardAt = Date.now();
    if (Date.now() - this.heardAt > SILENCE_MS) this.client.end(true);
    else this.client.stream.write(PINGREQ);
  }

  private signedIn(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.client.once('connect', () => resolve());
      this.client.once('error', (error) =>
        reject(new BrokerError(`the broker refused the connectors: ${error.message}`)),
      );
      void this.over.then(() => reject(new BrokerError('the broker closed the connection')));
    });
  }

  /** Rejects pending work when the connection ends, because the work can no longer finish. */
  private whileAlive<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const settle = (): void => void this.pending.delete(reject);
      this.pending.add(reject);
      work.then(resolve, reject).finally(settle);
      if (this.isOver) reject(ended());
    });
  }
}

let lastUs = 0;
const nextMicrosecond = (): number => (lastUs = Math.max(Date.now() * 1_000, lastUs + 1));

const ended = (): BrokerError => new BrokerError('the connection to the broker has ended');
