const PROTOCOL = 'MQTT';
const LEVEL_3_1_1 = 4;
const FLAG = { username: 0x80, password: 0x40, will: 0x04 } as const;

/** A CONNECT packet of MQTT 3.1.1 with a user name and a password. */
export interface ConnectFacts {
  username: Buffer;
  password: Buffer;
  /** The body before the user name. */
  head: Buffer;
}

/** CONNACK codes of MQTT 3.1.1. */
export const REFUSED = { protocol: 1, notAuthorized: 5 } as const;

/**
 * Reads the body of CONNECT. Returns a code of CONNACK for a packet of another protocol or without credentials. Null when the
 * body is malformed.
 */
export function readConnect(body: Buffer): ConnectFacts | number | null {
  const fields = new Fields(body);
  const protocol = fields.bytes().toString('latin1');
  const [level, flags] = [fields.byte(), fields.byte()];
  if (fields.isBroken) return null;
  if (protocol !== PROTOCOL || level !== LEVEL_3_1_1) return REFUSED.protocol;
  fields.skip(2);
  fields.bytes();
  if ((flags & FLAG.will) !== 0) {
    fields.bytes();
    fields.bytes();
  }
  const head = body.subarray(0, fields.at);
  const username = (flags & FLAG.username) === 0 ? null : fields.bytes();
  const password = (flags & FLAG.password) === 0 ? null : fields.bytes();
  if (fields.isBroken || fields.at !== body.length) return null;
  return username && password ? { username, password, head } : REFUSED.notAuthorized;
}

/** A CONNECT packet with the same body and other credentials. */
export function writeConnect(head: Buffer, username: string, password: string): Buffer {
  const body = Buffer.concat([head, field(username), field(password)]);
  const header = [0x10];
  let bytesLeft = body.length;
  do {
    header.push((bytesLeft % 128) + (bytesLeft >= 128 ? 0x80 : 0));
    bytesLeft = Math.floor(bytesLeft / 128);
  } while (bytesLeft > 0);
  return Buffer.concat([Buffer.from(header), body]);
}

export const connackPacket = (code: number): Buffer => Buffer.from([0x20, 2, 0, code]);

function field(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 0xff]), bytes]);
}

/** Reads the fields of a packet one after the other. `isBroken`: the packet ended within a field. */
class Fields {
  at = 0;
  isBroken = false;

  constructor(private readonly body: Buffer) {}

  byte(): number {
    this.skip(1);
    return this.isBroken ? 0 : (this.body[this.at - 1] ?? 0);
  }

  bytes(): Buffer {
    const length = this.byte() * 256 + this.byte();
    const start = this.at;
    this.skip(length);
    return this.body.subarray(start, this.at);
  }

  skip(count: number): void {
    this.at += count;
    if (this.at > this.body.length) this.isBroken = true;
  }
}
