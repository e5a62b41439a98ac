import { BrokerError } from '../../../control/broker-error.js';
import type { Run } from '../../../gate/rate/publish-runs.js';
import { isPassed, isStoring, LOGIN, LOGIN_WITH_TOKEN, SEND_MESSAGES } from './frame-codes.js';

/** Length and code, both 32 bits in little endian. The length counts the code and the payload. */
const HEADER_BYTES = 8;
const CODE_BYTES = 4;
/** Largest frame that the gate passes. The server would read up to 4 GiB of one frame. */
const LARGEST_FRAME_BYTES = 256 * 1024 * 1024;
/** Names and passwords have at most 255 bytes each. The rest is for the name and the context of the client library. */
const LARGEST_LOGIN_BYTES = 64 * 1024;
/** The server has no such request. It answers it with the status "invalid command". */
const NO_REQUEST = frame(0xffff_ffff, Buffer.alloc(0));

/** A name and a password at the server. */
export interface Account {
  username: string;
  password: string;
}

/** Where clients sign in. */
export interface FrameDesk {
  /** The account at the server for these credentials of a client. Null: the credentials are wrong. */
  signIn(username: Buffer, password: Buffer): Account | null;
  /** The client signs in with a personal access token, which only the server can judge. */
  signInByToken(): void;
  /** Whether clients may store something new. */
  mayStore(): boolean;
}

/** The account of sign-ins with wrong credentials. The server has no such user, so it refuses them. */
export const NOBODY: Account = { username: 'nobody', password: 'refused' };

/** Bytes for the server, and the runs of SendMessages frames among them. */
export interface Filtered {
  bytes: Buffer;
  runs: Run[];
}

/** One chunk on its way through the filter. Bytes that pass as they are stay in one piece. */
class Passage {
  at = 0;
  readonly runs: Run[] = [];
  private readonly parts: Buffer[] = [];
  private keptFrom = 0;

  constructor(
    readonly chunk: Buffer,
    private readonly countsRuns: boolean,
  ) {}

  get left(): number {
    return this.chunk.length - this.at;
  }

  /** The next bytes pass as they are. */
  keep(bytes: number, isPublish: boolean): void {
    this.at += bytes;
    this.count(bytes, isPublish);
  }

  /** The next bytes do not pass. Returns them. */
  take(bytes: number): Buffer {
    if (this.at > this.keptFrom) this.parts.push(this.chunk.subarray(this.keptFrom, this.at));
    const part = this.chunk.subarray(this.at, this.at + bytes);
    this.at += part.length;
    this.keptFrom = this.at;
    return part;
  }

  /** Other bytes pass here. */
  insert(bytes: Buffer, isPublish: boolean): void {
    this.parts.push(bytes);
    this.count(bytes.length, isPublish);
  }

  finish(): Buffer {
    if (this.keptFrom === 0 && this.parts.length === 0) return this.chunk;
    this.take(0);
    const [only] = this.parts;
    return this.parts.length === 1 && only ? only : Buffer.concat(this.parts);
  }

  private count(bytes: number, isPublish: boolean): void {
    if (!this.countsRuns) return;
    const last = this.runs.at(-1);
    if (last?.isPublish === isPublish) last.bytes += bytes;
    else this.runs.push({ isPublish, bytes });
  }
}

/**
 * Follows the frames of a client. Replaces the credentials of sign-ins by the account of the client at the server, and refused
 * requests by a request that the server refuses. So all answers come from the server, in the order of the requests. Other bytes
 * pass as they are.
 */
export class FrameFilter {
  /** The start of a header whose rest has not arrived. */
  private header: Buffer = Buffer.alloc(0);
  /** Bytes of the current payload that have not arrived. */
  private payloadLeft = 0;
  private code = 0;
  private isDropped = false;
  /** Frames that have begun. The server answers each. */
  frames = 0;
  /** The payload of a sign-in. Null in all other frames. */
  private login: Buffer[] | null = null;

  constructor(
    private readonly desk: FrameDesk,
    /** Whether the runs of messages are needed. */
    private readonly countsRuns: boolean,
  ) {}

  /** The bytes for the server. Throws BrokerError when the bytes are not frames: the connection must end. */
  pass(chunk: Buffer): Filtered {
    const passage = new Passage(chunk, this.countsRuns);
    while (passage.left > 0) {
      if (this.payloadLeft > 0) this.takePayload(passage);
      else if (this.header.length === 0 && passage.left >= HEADER_BYTES) this.takeWholeHeader(passage);
      else this.takePartOfHeader(passage);
    }
    return { bytes: passage.finish(), runs: passage.runs };
  }

  private takeWholeHeader(passage: Passage): void {
    const { chunk, at } = passage;
    this.begin(chunk.readUInt32LE(at), chunk.readUInt32LE(at + CODE_BYTES));
    if (this.isDropped || this.login) {
      passage.take(HEADER_BYTES);
      this.replace(passage);
    } else passage.keep(HEADER_BYTES, this.code === SEND_MESSAGES);
  }

  private takePartOfHeader(passage: Passage): void {
    this.header = Buffer.concat([this.header, passage.take(HEADER_BYTES - this.header.length)]);
    const { header } = this;
    if (header.length < HEADER_BYTES) return;
    this.header = Buffer.alloc(0);
    this.begin(header.readUInt32LE(0), header.readUInt32LE(CODE_BYTES));
    if (this.isDropped || this.login) this.replace(passage);
    else passage.insert(header, this.code === SEND_MESSAGES);
  }

  private begin(length: number, code: number): void {
    this.frames += 1;
    if (length < CODE_BYTES) throw new BrokerError('the frame has no code');
    if (length > (code === LOGIN ? LARGEST_LOGIN_BYTES : LARGEST_FRAME_BYTES))
      throw new BrokerError('the frame is too large');
    this.code = code;
    this.payloadLeft = length - CODE_BYTES;
    this.isDropped = !isPassed(code) || (isStoring(code) && !this.desk.mayStore());
    this.login = code === LOGIN ? [] : null;
    if (code === LOGIN_WITH_TOKEN) this.desk.signInByToken();
  }

  /** The header of a sign-in or of a refused request has arrived. */
  private replace(passage: Passage): void {
    if (this.isDropped) passage.insert(NO_REQUEST, false);
    else if (this.payloadLeft === 0) this.finishLogin(passage);
  }

  private takePayload(passage: Passage): void {
    const bytes = Math.min(this.payloadLeft, passage.left);
    this.payloadLeft -= bytes;
    if (this.login) {
      this.login.push(passage.take(bytes));
      if (this.payloadLeft === 0) this.finishLogin(passage);
    } else if (this.isDropped) passage.take(bytes);
    else passage.keep(bytes, this.code === SEND_MESSAGES);
  }

  private finishLogin(passage: Passage): void {
    const payload = Buffer.concat(this.login ?? []);
    this.login = null;
    const [username, afterName] = shortText(payload, 0);
    const [password, end] = shortText(payload, afterName);
    const account = this.desk.signIn(username, password) ?? NOBODY;
    const texts = [textOf(account.username), textOf(account.password), payload.subarray(end)];
    passage.insert(frame(LOGIN, Buffer.concat(texts)), false);
  }
}

/** A text after one byte with its length. Returns the text and the position after it. */
function shortText(payload: Buffer, at: number): [text: Buffer, end: number] {
  const length = payload[at];
  const end = at + 1 + (length ?? 0);
  if (length === undefined || end > payload.length) throw new BrokerError('the sign-in is malformed');
  return [payload.subarray(at + 1, end), end];
}

function textOf(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
}

function frame(code: number, payload: Buffer): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32LE(CODE_BYTES + payload.length, 0);
  header.writeUInt32LE(code, CODE_BYTES);
  return Buffer.concat([header, payload]);
}
