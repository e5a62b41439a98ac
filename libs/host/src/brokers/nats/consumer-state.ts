const MAGIC = 22;
const VERSION = 2;
const HEADER_BYTES = 2;

/**
 * The stored state of a consumer of nats-server, format 2: varints for the acknowledged position (of the consumer, of the
 * stream), the delivered position (the same), then the messages that wait for an acknowledgement and the redelivered messages.
 * Both lists store positions in the stream relative to the acknowledged position.
 */
export class ConsumerState {
  private constructor(
    readonly content: Buffer,
    /** The acknowledged position in the stream. 0 until the first acknowledgement. */
    readonly ackFloor: number,
    /** How many delivered messages wait for an acknowledgement. */
    readonly waiting: number,
  ) {}

  /** Null for another format. Throws RangeError for content that ends too early. */
  static parse(content: Buffer): ConsumerState | null {
    if (content[0] !== MAGIC || content[1] !== VERSION) return null;
    const fields = new Varints(content, HEADER_BYTES);
    const [, ackFloor] = [fields.next(), fields.next(), fields.next(), fields.next()];
    return new ConsumerState(content, Number(ackFloor), Number(fields.next()));
  }

  /** The same state with the acknowledged position 0 in the stream. */
  withoutAckFloor(): ConsumerState {
    const from = new Varints(this.content, HEADER_BYTES);
    const to: bigint[] = [from.next()];
    const floor = from.next();
    to.push(0n, from.next(), from.next());
    const waiting = copyLength(from, to);
    if (waiting > 0) to.push(from.next()); // the time to which the times of the messages are relative
    for (let index = 0; index < waiting; index++) to.push(from.next() + floor, from.next(), from.next());
    const redelivered = copyLength(from, to);
    for (let index = 0; index < redelivered; index++) to.push(from.next() + floor, from.next());
    const header = this.content.subarray(0, HEADER_BYTES);
    return new ConsumerState(Buffer.concat([header, ...to.map(varint)]), 0, waiting);
  }
}

function copyLength(from: Varints, to: bigint[]): number {
  const length = from.next();
  to.push(length);
  return Number(length);
}

/** Reads unsigned varints: 7 bits a byte, lowest first; the highest bit says that another byte follows. */
class Varints {
  constructor(
    private readonly content: Buffer,
    private position: number,
  ) {}

  next(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.content.readUInt8(this.position++);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }
}

function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return Buffer.from([...bytes, Number(rest)]);
}
