/** Called at the end of each packet. */
export interface PacketListener {
  /** `head` has the start of the body, up to the limit. It is valid only during the call. */
  (firstByte: number, head: Buffer, bodyBytes: number): void;
}

const NOTHING = Buffer.alloc(0);

/**
 * Follows the MQTT framing of a stream and reports the start of each packet. It stores at most `limit` bytes of a packet that
 * arrives in pieces, also when the packet is much larger.
 */
export class PacketHeads {
  private firstByte: number | null = null;
  private length = 0;
  private lengthBytes = 0;
  private bodyBytes = 0;
  private bodyLeft = 0;
  private isInBody = false;
  private held: Buffer = NOTHING;
  private isBroken = false;

  constructor(
    private readonly limit: number,
    private readonly onPacket: PacketListener,
  ) {}

  /** Ignores everything after a malformed length. The parser of the broker refuses such a stream. */
  read(chunk: Buffer): void {
    let offset = 0;
    while (offset < chunk.length && !this.isBroken) {
      if (this.isInBody) offset += this.readBody(chunk.subarray(offset));
      else this.readHeader(chunk[offset++] ?? 0);
    }
  }

  private readHeader(byte: number): void {
    if (this.firstByte === null) {
      this.firstByte = byte;
      return;
    }
    this.length += (byte & 0x7f) * 128 ** this.lengthBytes;
    this.lengthBytes += 1;
    if ((byte & 0x80) !== 0) {
      this.isBroken = this.lengthBytes >= 4;
      return;
    }
    this.bodyBytes = this.length;
    this.bodyLeft = this.length;
    this.isInBody = true;
    if (this.length === 0) this.finish(NOTHING);
  }

  /** Returns the number of bytes that belong to this packet. */
  private readBody(bytes: Buffer): number {
    const length = Math.min(this.bodyLeft, bytes.length);
    this.bodyLeft -= length;
    const bytesOfHead = bytes.subarray(0, Math.min(length, this.limit - this.held.length));
    // A packet in one piece is not copied.
    if (this.bodyLeft === 0)
      this.finish(this.held.length === 0 ? bytesOfHead : Buffer.concat([this.held, bytesOfHead]));
    else if (bytesOfHead.length > 0) this.held = Buffer.concat([this.held, bytesOfHead]);
    return length;
  }

  private finish(head: Buffer): void {
    const [firstByte, bodyBytes] = [this.firstByte ?? 0, this.bodyBytes];
    this.firstByte = null;
    this.length = 0;
    this.lengthBytes = 0;
    this.isInBody = false;
    this.held = NOTHING;
    this.onPacket(firstByte, head, bodyBytes);
  }
}
