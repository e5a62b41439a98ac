/** Type of a packet, in the upper half of its first byte. */
const PUBLISH = 3;

/** Follows the MQTT framing of a stream, to find a packet that is too large before it is buffered. */
export class PacketMeter {
  /** Number of PUBLISH packets. */
  publishes = 0;
  private bodyLeft = 0;
  private headerBytes = 0;
  private length = 0;

  constructor(private readonly maxPacketBytes: number) {}

  /** False when a packet in the chunk exceeds the limit or has a malformed length. */
  accepts(chunk: Buffer): boolean {
    let offset = 0;
    while (offset < chunk.length) {
      if (this.bodyLeft > 0) {
        const length = Math.min(this.bodyLeft, chunk.length - offset);
        this.bodyLeft -= length;
        offset += length;
      } else {
        if (!this.acceptsHeaderByte(chunk[offset] ?? 0)) return false;
        offset += 1;
      }
    }
    return true;
  }

  /** One type byte, then one to four bytes of length, seven bits each, the lowest first. */
  private acceptsHeaderByte(byte: number): boolean {
    this.headerBytes += 1;
    if (this.headerBytes === 1) {
      if (byte >> 4 === PUBLISH) this.publishes += 1;
      return true;
    }
    if (this.headerBytes > 5) return false;
    this.length += (byte & 0x7f) * 128 ** (this.headerBytes - 2);
    if ((byte & 0x80) !== 0) return true;
    if (this.length + this.headerBytes > this.maxPacketBytes) return false;
    this.bodyLeft = this.length;
    this.headerBytes = 0;
    this.length = 0;
    return true;
  }
}
