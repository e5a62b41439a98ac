import { PacketHeads } from './packet-heads.js';
import { TOPIC_HEAD_BYTES, type TopicCounts } from './topic-counts.js';

const CONNECT = 1;
const CONNACK = 2;
const PUBLISH = 3;
const MQTT_5 = 5;
/** Codes of CONNACK for wrong credentials and for a client that may not connect, in MQTT 3.1.1 and 5. */
const NOT_AUTHORIZED = [4, 5, 0x86, 0x87];
/** Longest part of a client id that is kept, in bytes. */
const CLIENT_ID_BYTES = 256;

/** Where a client came from. */
export interface ClientOrigin {
  /** IPv4 address. Null for a client of the node itself. */
  address: string | null;
  protocol: 'tcp' | 'websocket' | 'browser' | 'node';
  tls: boolean;
}

/** The bytes of one connection in both directions, as the gate passes them. */
export interface ConnectionObserver {
  received(chunk: Buffer): void;
  sent(chunk: Buffer): void;
}

/**
 * One MQTT connection as the gate sees it. Reads the client id from CONNECT, and from CONNACK whether the broker accepted the
 * client. Counts the topics of the published messages when the gate has to.
 */
export class ClientSession implements ConnectionObserver {
  /** Null until CONNECT. An empty id lets the broker choose one. */
  clientId: string | null = null;
  /** Null until the broker has accepted the client. */
  connectedAtMs: number | null = null;
  /** Called when CONNECT has come. */
  onConnect: () => void = () => undefined;
  private reader: PacketHeads | null;
  private answer: number[] | null = [];

  constructor(
    readonly id: string,
    readonly origin: ClientOrigin,
    private readonly topics: TopicCounts | null,
    /** Told of each packet of an accepted client. Null: nobody asks. */
    private readonly inspect: ((firstByte: number, head: Buffer, clientId: string) => void) | null,
    private readonly onAnswered: (isConnected: boolean) => void,
    readonly close: () => void,
  ) {
    const limit = Math.max(TOPIC_HEAD_BYTES, CLIENT_ID_BYTES * 2);
    this.reader = new PacketHeads(limit, (firstByte, head) => {
      if (this.connectedAtMs !== null) this.inspect?.(firstByte, head, this.clientId ?? '');
      this.readPacket(firstByte >> 4, head);
    });
  }

  received(chunk: Buffer): void {
    this.reader?.read(chunk);
  }

  /** The first packet of the broker is CONNACK: two bytes of header, flags, code. */
  sent(chunk: Buffer): void {
    if (this.answer === null) return;
    this.answer.push(...chunk.subarray(0, 4 - this.answer.length));
    if (this.answer.length < 4) return;
    const [first = 0, , , code] = this.answer;
    this.answer = null;
    if (first >> 4 !== CONNACK || code === undefined) return;
    if (NOT_AUTHORIZED.includes(code)) this.onAnswered(false);
    if (code !== 0) return;
    this.connectedAtMs = Date.now();
    this.onAnswered(true);
  }

  private readPacket(type: number, head: Buffer): void {
    if (this.clientId === null) {
      this.clientId = type === CONNECT ? clientIdOf(head) : '';
      if (type === CONNECT) this.onConnect();
    }
    // Nothing more is needed from this client, so its packets are not parsed again.
    if (this.topics === null) this.reader = null;
    else if (type === PUBLISH && this.connectedAtMs !== null) countTopic(this.topics, head);
  }
}

function countTopic(topics: TopicCounts, head: Buffer): void {
  if (head.length < 2) return;
  const topic = head.toString('utf8', 2, 2 + head.readUInt16BE(0));
  if (topic !== '') topics.add(topic);
}

/** The client id in the body of CONNECT. Empty when the body is malformed or the id is too far behind. */
export function clientIdOf(body: Buffer): string {
  if (body.length < 2) return '';
  // Protocol name, level, flags, keep-alive.
  const levelAt = 2 + body.readUInt16BE(0);
  let at = levelAt + 4;
  if (body[levelAt] === MQTT_5) at += propertiesBytes(body, at);
  if (at + 2 > body.length) return '';
  const length = body.readUInt16BE(at);
  return body.toString('utf8', at + 2, at + 2 + Math.min(length, CLIENT_ID_BYTES));
}

/** The length of the properties of MQTT 5, with the length of their length. */
function propertiesBytes(body: Buffer, at: number): number {
  let length = 0;
  for (let index = 0; index < 4; index += 1) {
    const byte = body[at + index] ?? 0;
    length += (byte & 0x7f) * 128 ** index;
    if (byte < 0x80) return length + index + 1;
  }
  return body.length;
}
