const PUBLISH = 3;
const NOTHING = Buffer.alloc(0);

/** The start of a packet: its total length, and whether to drop it. */
interface Head {
  length: number;
  isHidden: boolean;
}

/**
 * Drops QoS 0 messages to a client whose topic starts with a prefix. Buffers only as much of a packet as is necessary to read
 * its topic. Messages with a higher QoS pass, because the broker waits for their acknowledgement.
 */
export class TopicFilter {
  private readonly prefix: Buffer;
  private held: Buffer = NOTHING;
  private bytesLeft = 0;
  private isHiding = false;

  constructor(prefix: string) {
    this.prefix = Buffer.from(prefix);
  }

  /** The bytes that may pass to the client, in order. */
  pass(chunk: Buffer): Buffer[] {
    const bytes = this.held.length > 0 ? Buffer.concat([this.held, chunk]) : chunk;
    const passed: Buffer[] = [];
    let from = 0;
    let at = 0;
    while (at < bytes.length) {
      if (this.bytesLeft === 0) {
        const head = this.headAt(bytes.subarray(at));
        if (head === null) break;
        if (head.isHidden !== this.isHiding) {
          passed.push(...this.keptOf(bytes.subarray(from, at)));
          from = at;
        }
        this.isHiding = head.isHidden;
        this.bytesLeft = head.length;
      }
      const length = Math.min(this.bytesLeft, bytes.length - at);
      this.bytesLeft -= length;
      at += length;
    }
    passed.push(...this.keptOf(bytes.subarray(from, at)));
    this.held = bytes.subarray(at);
    return passed;
  }

  private keptOf(bytes: Buffer): Buffer[] {
    return this.isHiding || bytes.length === 0 ? [] : [bytes];
  }

  /** Null while more bytes are necessary. */
  private headAt(bytes: Buffer): Head | null {
    const header = headerOf(bytes);
    if (header === null) return null;
    const { headerBytes, length } = header;
    const [first = 0] = bytes;
    if (first >> 4 !== PUBLISH || (first & 0b110) !== 0) return { length, isHidden: false };
    const topicAt = headerBytes + 2;
    if (bytes.length < topicAt) return length < topicAt ? { length, isHidden: false } : null;
    const topicBytes = bytes.readUInt16BE(headerBytes);
    if (topicBytes < this.prefix.length) return { length, isHidden: false };
    const prefix = bytes.subarray(topicAt, topicAt + this.prefix.length);
    return prefix.length < this.prefix.length ? null : { length, isHidden: prefix.equals(this.prefix) };
  }
}

/** One type byte, then one to four bytes of length, seven bits each, the lowest first. Null while more bytes are necessary. */
function headerOf(bytes: Buffer): { headerBytes: number; length: number } | null {
  let body = 0;
  for (let index = 1; index <= 4; index += 1) {
    const byte = bytes[index];
    if (byte === undefined) return null;
    body += (byte & 0x7f) * 128 ** (index - 1);
    if (byte < 0x80) return { headerBytes: index + 1, length: index + 1 + body };
  }
  // A length has at most four bytes. The sender does not speak MQTT, and the client will detect that.
  return { headerBytes: bytes.length, length: Infinity };
}
