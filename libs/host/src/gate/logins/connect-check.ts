import { Transform, type TransformCallback } from 'node:stream';
import type { ClientLogins, Login } from './client-logins.js';
import { readConnect, REFUSED, writeConnect } from './connect-packet.js';

const CONNECT = 0x10;
/** Above the longest packet of MQTT 3.1.1: five fields of 64 KiB and their lengths. */
const MOST_BYTES = 400 * 1024;
const MOST_LENGTH_BYTES = 4;

/** What a check reports, once. */
export interface CheckListener {
  accepted: (login: Login) => void;
  /** The code of CONNACK for the client. Null: the client sent no valid CONNECT packet. */
  refused: (code: number | null) => void;
}

/**
 * Checks the first packet of a client, CONNECT, before the broker gets a byte. Replaces the client's credentials by those that
 * the broker knows, so a new password of clients does not change the broker. Passes all later bytes as they are. Passes nothing
 * after a refusal.
 */
export class ConnectCheck extends Transform {
  /** Joined only when the packet is complete, because a client may send it byte by byte. */
  private held: Buffer[] = [];
  private heldBytes = 0;
  private size: PacketSize | null = null;
  private verdict: 'open' | 'accepted' | 'refused' = 'open';

  constructor(
    private readonly logins: ClientLogins,
    /** The account at the broker. */
    private readonly account: Login,
    private readonly listener: CheckListener,
  ) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, callback: TransformCallback): void {
    if (this.verdict === 'accepted') return callback(null, chunk);
    if (this.verdict === 'open') this.collect(chunk);
    callback();
  }

  private collect(chunk: Buffer): void {
    this.held.push(chunk);
    this.heldBytes += chunk.length;
    const size = this.size ?? packetSize(Buffer.concat(this.held));
    if (size === 'malformed') return this.refuse(null);
    if (size === 'incomplete') return;
    this.size = size;
    if (this.heldBytes >= size.total) this.judge(Buffer.concat(this.held), size);
  }

  private judge(bytes: Buffer, { header, total }: PacketSize): void {
    const connect = readConnect(bytes.subarray(header, total));
    if (connect === null || typeof connect === 'number') return this.refuse(connect);
    const login = this.logins.verify(connect.username, connect.password);
    if (login === null) return this.refuse(REFUSED.notAuthorized);
    this.verdict = 'accepted';
    this.push(writeConnect(connect.head, this.account.username, this.account.password));
    if (bytes.length > total) this.push(bytes.subarray(total));
    this.held = [];
    this.listener.accepted(login);
  }

  private refuse(code: number | null): void {
    this.verdict = 'refused';
    this.held = [];
    this.listener.refused(code);
  }
}

/** The size of a packet and of its header, in bytes. */
interface PacketSize {
  header: number;
  total: number;
}

function packetSize(bytes: Buffer): PacketSize | 'incomplete' | 'malformed' {
  if (bytes[0] !== CONNECT) return 'malformed';
  let length = 0;
  for (let index = 1; index <= MOST_LENGTH_BYTES; index += 1) {
    const byte = bytes[index];
    if (byte === undefined) return 'incomplete';
    length += (byte & 0x7f) * 128 ** (index - 1);
    if (byte >= 0x80) continue;
    return length > MOST_BYTES ? 'malformed' : { header: index + 1, total: index + 1 + length };
  }
  return 'malformed';
}
