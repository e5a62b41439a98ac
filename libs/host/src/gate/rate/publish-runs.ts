/** Type of a packet, in the upper half of its first byte. */
const PUBLISH = 3;

/** Consecutive bytes of packets with messages, or of other packets. */
export interface Run {
  isPublish: boolean;
  bytes: number;
}

/** Follows the MQTT framing of a stream and separates the bytes of PUBLISH packets from all others. */
export class PublishRuns {
  private isPublish = false;
  private headerBytes = 0;
  private length = 0;
  private bodyLeft = 0;

  /** The runs of the next chunk, in order. The lengths must be well-formed: PacketMeter has checked them. */
  split(chunk: Buffer): Run[] {
    const runs: Run[] = [];
    let offset = 0;
    while (offset < chunk.length) {
      const length = this.bodyLeft > 0 ? Math.min(this.bodyLeft, chunk.length - offset) : 1;
      if (this.bodyLeft > 0) this.bodyLeft -= length;
      else this.readHeader(chunk[offset] ?? 0);
      offset += length;
      const last = runs.at(-1);
      if (last?.isPublish === this.isPublish) last.bytes += length;
      else runs.push({ isPublish: this.isPublish, bytes: length });
    }
    return runs;
  }

  private readHeader(byte: number): void {
    this.headerBytes += 1;
    if (this.headerBytes === 1) {
      this.isPublish = byte >> 4 === PUBLISH;
      return;
    }
    this.length += (byte & 0x7f) * 128 ** (this.headerBytes - 2);
    if ((byte & 0x80) !== 0) return;
    this.bodyLeft = this.length;
    this.headerBytes = 0;
    this.length = 0;
  }
}
