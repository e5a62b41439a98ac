import type { FileHandle } from 'node:fs/promises';

/** The header of a message. The lengths of its user headers and of its payload are in it. */
const HEADER_BYTES = 64;
const AT = { offset: 24, timestamp: 32, userHeaders: 48, payload: 52 } as const;
/** A log has millions of small messages, so it is read in pieces. */
const PIECE_BYTES = 1024 * 1024;

export interface StoredMessage {
  offset: bigint;
  /** Microseconds since the epoch. */
  timestamp: bigint;
  /** Position behind the message. */
  end: number;
}

/** Reads the headers of the messages in the log of a segment. */
export class LogReader {
  private piece = Buffer.alloc(0);
  private from = 0;

  constructor(
    private readonly log: FileHandle,
    private readonly size: number,
  ) {}

  /** The message that begins there. Null when the log does not contain all of it. */
  async messageAt(start: number): Promise<StoredMessage | null> {
    if (start + HEADER_BYTES > this.size) return null;
    const header = await this.headerAt(start);
    const end = start + HEADER_BYTES + header.readUInt32LE(AT.userHeaders) + header.readUInt32LE(AT.payload);
    if (end > this.size) return null;
    return { offset: header.readBigUInt64LE(AT.offset), timestamp: header.readBigUInt64LE(AT.timestamp), end };
  }

  private async headerAt(start: number): Promise<Buffer> {
    if (start < this.from || start + HEADER_BYTES > this.from + this.piece.length) {
      const { buffer, bytesRead } = await this.log.read(Buffer.alloc(PIECE_BYTES), 0, PIECE_BYTES, start);
      this.piece = buffer.subarray(0, bytesRead);
      this.from = start;
    }
    return this.piece.subarray(start - this.from, start - this.from + HEADER_BYTES);
  }
}
