import { randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { BrokerError } from '../../control/broker-error.js';
import { PacketHeads } from '../clients/packet-heads.js';
import {
  acknowledgement,
  connectPacket,
  disconnectPacket,
  pingPacket,
  publishPacket,
  subscribePacket,
  TYPE,
  unsubscribePacket,
  type OutgoingMessage,
} from './mqtt-packets.js';
import { PREVIEW_BYTES, previewOf, type PayloadPreview } from './payload-preview.js';

const ANSWER_TIMEOUT_MS = 10_000;
/** Stored bytes of a packet: a topic of 4 KiB and the preview of its payload. */
const HEAD_BYTES = 4 * 1024 + PREVIEW_BYTES;
/** Limits for requests that the broker has not answered. */
const MOST_PENDING = 100;
const MOST_UNSENT_BYTES = 1024 * 1024;
const REFUSED_SUBSCRIPTION = 0x80;

/** A message with the start of its payload. */
export interface ArrivedMessage extends PayloadPreview {
  topic: string;
  qos: number;
  retain: boolean;
}

export interface LinkOptions {
  credentials: { username: string; password: string };
  keepAliveSeconds: number;
  /** Whether to read a message. The rest costs no decoding. */
  accepts: (isRetained: boolean) => boolean;
  onMessage: (message: ArrivedMessage) => void;
}

interface Pending {
  resolve: (code: number) => void;
  reject: (error: Error) => void;
}

/**
 * A small MQTT client of the page within the gate. Stores at most 8 KiB of a packet, so that large messages need no memory.
 * Subscribes with QoS 0, because the page shows messages and does not process them.
 */
export class MqttLink {
  readonly clientId = `browser-${randomBytes(6).toString('hex')}`;
  private readonly pending = new Map<string, Pending>();
  private readonly pings: NodeJS.Timeout;
  private lastId = 0;

  constructor(
    private readonly stream: Duplex,
    private readonly options: LinkOptions,
  ) {
    const packets = new PacketHeads(HEAD_BYTES, (firstByte, head, bytes) => this.receive(firstByte, head, bytes));
    stream.on('data', (chunk: Buffer) => packets.read(chunk));
    stream.once('end', () => stream.destroy());
    stream.once('close', () => this.fail());
    this.pings = setInterval(() => stream.write(pingPacket()), options.keepAliveSeconds * 500).unref();
  }

  /** Resolves when the broker has accepted the connection. */
  async connect(): Promise<void> {
    const { credentials, keepAliveSeconds } = this.options;
    const packet = connectPacket({ clientId: this.clientId, ...credentials, keepAliveSeconds });
    if ((await this.request(TYPE.connack, 0, packet)) !== 0) throw new BrokerError('the broker refused the connection');
  }

  async subscribe(topic: string): Promise<void> {
    const id = this.nextId();
    const code = await this.request(TYPE.suback, id, subscribePacket(id, topic));
    if (code === REFUSED_SUBSCRIPTION) throw new BrokerError('the broker refused the subscription');
  }

  async unsubscribe(topic: string): Promise<void> {
    const id = this.nextId();
    await this.request(TYPE.unsuback, id, unsubscribePacket(id, topic));
  }

  /** With QoS 1 resolves when the broker has the message. */
  async publish(message: OutgoingMessage): Promise<void> {
    const id = this.nextId();
    if (message.qos > 0) await this.request(TYPE.puback, id, publishPacket(id, message));
    else this.write(publishPacket(id, message));
  }

  /** Resolves when the broker has read everything before. */
  async ping(): Promise<void> {
    await this.request(TYPE.pingresp, 0, pingPacket());
  }

  close(): void {
    if (!this.stream.destroyed) this.stream.write(disconnectPacket(), () => this.stream.destroy());
  }

  private nextId(): number {
    this.lastId = (this.lastId % 65_535) + 1;
    return this.lastId;
  }

  private write(packet: Buffer): void {
    if (this.stream.destroyed) throw new BrokerError('the broker closed the connection');
    if (this.stream.writableLength > MOST_UNSENT_BYTES) throw new BrokerError('the broker is busy');
    this.stream.write(packet);
  }

  private async request(answer: number, id: number, packet: Buffer): Promise<number> {
    if (this.pending.size >= MOST_PENDING) throw new BrokerError('the broker is busy');
    this.write(packet);
    const key = `${answer} ${id}`;
    return new Promise<number>((resolve, reject) => {
      const timer = setTimeout(
        () => this.settle(key)?.reject(new BrokerError('the broker did not respond in time')),
        ANSWER_TIMEOUT_MS,
      );
      const ended = (): void => clearTimeout(timer);
      this.pending.set(key, {
        resolve: (code) => (ended(), resolve(code)),
        reject: (error) => (ended(), reject(error)),
      });
    });
  }

  private settle(key: string): Pending | undefined {
    const pending = this.pending.get(key);
    this.pending.delete(key);
    return pending;
  }

  private fail(): void {
    clearInterval(this.pings);
    const error = new BrokerError('the broker closed the connection');
    for (const key of [...this.pending.keys()]) this.settle(key)?.reject(error);
  }

  private receive(firstByte: number, head: Buffer, bytes: number): void {
    const type = firstByte >> 4;
    if (type === TYPE.publish) return this.receiveMessage(firstByte, head, bytes);
    if (type === TYPE.connack) return this.settle(`${type} 0`)?.resolve(head[1] ?? 1);
    if (type === TYPE.pingresp) return this.settle(`${type} 0`)?.resolve(0);
    if (head.length < 2) return;
    const id = head.readUInt16BE(0);
    if (type === TYPE.pubrel) return void this.stream.write(acknowledgement('pubcomp', id));
    this.settle(`${type} ${id}`)?.resolve(head[2] ?? 0);
  }

  private receiveMessage(firstByte: number, head: Buffer, bytes: number): void {
    if (head.length < 2) return;
    const qos = (firstByte >> 1) & 0b11;
    const topicEnd = 2 + head.readUInt16BE(0);
    const payloadAt = topicEnd + (qos > 0 ? 2 : 0);
    // A longer topic leaves no bytes for the number and the payload.
    if (qos > 0 && head.length >= payloadAt)
      this.stream.write(acknowledgement(qos === 1 ? 'puback' : 'pubrec', head.readUInt16BE(topicEnd)));
    const retain = (firstByte & 1) === 1;
    if (!this.options.accepts(retain)) return;
    this.options.onMessage({
      topic: head.toString('utf8', 2, topicEnd),
      qos,
      retain,
      ...previewOf(head.subarray(payloadAt), Math.max(0, bytes - payloadAt)),
    });
  }
}
