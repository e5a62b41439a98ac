/** Type of a packet, in the upper half of its first byte. */
const PUBLISH = 3;

/** Follows MQTT framing in a stream of chunks, to find a packet that is too large before it is buffered. */
export class PacketMeter {
  /** PUBLISH packets so far. */
  publishes = 0;
  private bodyLeft = 0;
  private headerBytes = 0;
  private length = 0;

  constructor(private readonly maxPacketBytes: number) {}

  /** False when a packet that begins or continues in the chunk exceeds the limit, or its length is malformed. */
  accepts(chunk: Buffer): boolean {
    let offset = 0;
    while (offset < chunk.length) {
      if (this.bodyLeft > 0) {
        const taken = Math.min(this.bodyLeft, chunk.length - offset);
        this.bodyLeft -= taken;
        offset += taken;
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
