const PUBLISH = 3;
const NOTHING = Buffer.alloc(0);

/** The beginning of a packet: its whole length, and whether it is to be left out. */
interface Head {
  length: number;
  isHidden: boolean;
}

/**
 * Leaves QoS 0 messages out of what a broker sends to a client, when their topics begin with a prefix. Of a packet only
 * as much is held as shows its topic. Messages of higher quality pass: the broker waits for their acknowledgement.
 */
export class TopicFilter {
  private readonly prefix: Buffer;
  private held: Buffer = NOTHING;
  private bytesLeft = 0;
  private isHiding = false;

  constructor(prefix: string) {
    this.prefix = Buffer.from(prefix);
  }

  /** What the client may have of the bytes so far, in order. */
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
      const taken = Math.min(this.bytesLeft, bytes.length - at);
      this.bytesLeft -= taken;
      at += taken;
    }
    passed.push(...this.keptOf(bytes.subarray(from, at)));
    this.held = bytes.subarray(at);
    return passed;
  }

  private keptOf(bytes: Buffer): Buffer[] {
    return this.isHiding || bytes.length === 0 ? [] : [bytes];
  }

  /** Null while too little has come. */
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
    const seen = bytes.subarray(topicAt, topicAt + this.prefix.length);
    return seen.length < this.prefix.length ? null : { length, isHidden: seen.equals(this.prefix) };
  }
}

/** One type byte, then one to four bytes of length, seven bits each, the lowest first. Null while too little has come. */
function headerOf(bytes: Buffer): { headerBytes: number; length: number } | null {
  let body = 0;
  for (let index = 1; index <= 4; index += 1) {
    const byte = bytes[index];
    if (byte === undefined) return null;
    body += (byte & 0x7f) * 128 ** (index - 1);
    if (byte < 0x80) return { headerBytes: index + 1, length: index + 1 + body };
  }
  // No length is longer: whoever sent this does not speak MQTT, and the client will find out.
  return { headerBytes: bytes.length, length: Infinity };
}
