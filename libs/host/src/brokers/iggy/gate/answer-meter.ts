/** Status and length, both 32 bits in little endian. */
const HEADER_BYTES = 8;
const STATUS_BYTES = 4;

/** Counts the answers of the server, which come in the order of the requests, and reads their status. */
export class AnswerMeter {
  private header = Buffer.alloc(0);
  private bodyLeft = 0;
  private answers = 0;

  /** `onAnswer`: called with the number of the answer, from 1, and whether the server accepted the request. */
  constructor(private readonly onAnswer: (answer: number, isAccepted: boolean) => void) {}

  read(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.bodyLeft > 0) {
        const bytes = Math.min(this.bodyLeft, chunk.length - at);
        this.bodyLeft -= bytes;
        at += bytes;
        continue;
      }
      const part = chunk.subarray(at, at + HEADER_BYTES - this.header.length);
      this.header = Buffer.concat([this.header, part]);
      at += part.length;
      if (this.header.length < HEADER_BYTES) return;
      this.bodyLeft = this.header.readUInt32LE(STATUS_BYTES);
      this.answers += 1;
      this.onAnswer(this.answers, this.header.readUInt32LE(0) === 0);
      this.header = Buffer.alloc(0);
    }
  }
}
