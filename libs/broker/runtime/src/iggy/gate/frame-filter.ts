import { BrokerError } from '../../broker-error.js';
import type { Run } from '../../gate/rate/publish-runs.js';
import { isPassed, LOGIN, LOGIN_WITH_TOKEN, SEND_MESSAGES } from './frame-codes.js';

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
}

/** The account of sign-ins with wrong credentials. The server has no such user, so it refuses them. */
export const NOBODY: Account = { username: 'nobody', password: 'refused' };

/** Bytes for the server, and the runs of SendMessages frames among them. */
export interface Filtered {
  bytes: Buffer;
  runs: Run[];
}

/**
 * Follows the frames of a client. Replaces the credentials of sign-ins by the account of the client at the server, and refused
 * requests by a request that the server refuses. So all answers come from the server, in the order of the requests. Other bytes
 * pass as they are.
 */
export class FrameFilter {
  private header: Buffer = Buffer.alloc(0);
  /** Bytes of the current payload that have not arrived. */
  private payloadLeft = 0;
  private code = 0;
  private isDropped = false;
  /** The payload of a sign-in. Null in all other frames. */
  private login: Buffer[] | null = null;

  constructor(private readonly desk: FrameDesk) {}

  /** The bytes for the server. Throws BrokerError when the bytes are not frames: the connection must end. */
  pass(chunk: Buffer): Filtered {
    const parts: Buffer[] = [];
    const runs: Run[] = [];
    const emit = (bytes: Buffer, isPublish: boolean): void => {
      if (bytes.length === 0) return;
      parts.push(bytes);
      const last = runs.at(-1);
      if (last?.isPublish === isPublish) last.bytes += bytes.length;
      else runs.push({ isPublish, bytes: bytes.length });
    };
    let rest = chunk;
    while (rest.length > 0) rest = this.payloadLeft > 0 ? this.takePayload(rest, emit) : this.takeHeader(rest, emit);
    const [only] = parts;
    return { bytes: parts.length === 1 && only ? only : Buffer.concat(parts), runs };
  }

  private takeHeader(rest: Buffer, emit: Emit): Buffer {
    const missing = HEADER_BYTES - this.header.length;
    this.header =
      this.header.length > 0 ? Buffer.concat([this.header, rest.subarray(0, missing)]) : rest.subarray(0, missing);
    if (this.header.length === HEADER_BYTES) this.begin(this.header, emit);
    return rest.subarray(missing);
  }

  private begin(header: Buffer, emit: Emit): void {
    const length = header.readUInt32LE(0);
    this.code = header.readUInt32LE(CODE_BYTES);
    this.header = Buffer.alloc(0);
    if (length < CODE_BYTES) throw new BrokerError('the frame has no code');
    const limit = this.code === LOGIN ? LARGEST_LOGIN_BYTES : LARGEST_FRAME_BYTES;
    if (length > limit) throw new BrokerError('the frame is too large');
    this.payloadLeft = length - CODE_BYTES;
    this.isDropped = !isPassed(this.code);
    this.login = this.code === LOGIN ? [] : null;
    if (this.code === LOGIN_WITH_TOKEN) this.desk.signInByToken();
    if (this.isDropped) emit(NO_REQUEST, false);
    else if (this.login === null) emit(header, this.code === SEND_MESSAGES);
    else if (this.payloadLeft === 0) this.finishLogin(emit);
  }

  private takePayload(rest: Buffer, emit: Emit): Buffer {
    const taken = rest.subarray(0, this.payloadLeft);
    this.payloadLeft -= taken.length;
    if (this.login) {
      this.login.push(taken);
      if (this.payloadLeft === 0) this.finishLogin(emit);
    } else if (!this.isDropped) emit(taken, this.code === SEND_MESSAGES);
    return rest.subarray(taken.length);
  }

  private finishLogin(emit: Emit): void {
    const payload = Buffer.concat(this.login ?? []);
    this.login = null;
    const [username, afterName] = shortText(payload, 0);
    const [password, end] = shortText(payload, afterName);
    const account = this.desk.signIn(username, password) ?? NOBODY;
    emit(
      frame(LOGIN, Buffer.concat([textOf(account.username), textOf(account.password), payload.subarray(end)])),
      false,
    );
  }
}

type Emit = (bytes: Buffer, isPublish: boolean) => void;

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
