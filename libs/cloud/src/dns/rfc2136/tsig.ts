import { createHmac, timingSafeEqual } from 'node:crypto';
import { CLASSES, encodeName, encodeRecord, readName, TYPES, u16, u48, type DnsReply } from './dns-message.js';
import type { TsigKey } from './tsig-key.js';

/** Signatures of messages by a shared key (RFC 8945), with HMAC-SHA256 only. */
export const TSIG_ERRORS = { BADSIG: 16, BADKEY: 17, BADTIME: 18, BADTRUNC: 22 } as const;

const ALGORITHM = encodeName('hmac-sha256');
const MAC_BYTES = 32;
/** The largest accepted difference of the two clocks, in seconds. */
const FUDGE_SECONDS = 300;
const [ADDITIONAL_COUNT_AT, ID_AT] = [10, 0];

export interface SignedMessage {
  bytes: Buffer;
  /** The answer is signed together with it. */
  mac: Buffer;
}

/** What the signature of an answer says. */
export interface TsigVerdict {
  /** The server has the key, and the answer is for this request. */
  isVerified: boolean;
  /** One of TSIG_ERRORS, or 0. */
  error: number;
  /** The clock of the server, in seconds since the epoch. Only with BADTIME. */
  serverSeconds: number | null;
}

export function signMessage(message: Buffer, key: TsigKey, nowSeconds: number): SignedMessage {
  const time = { seconds: nowSeconds, fudge: FUDGE_SECONDS };
  const mac = macOf(key, message, variablesOf(key.name, { ...time, error: 0, other: Buffer.alloc(0) }));
  const data = Buffer.concat([
    ...[ALGORITHM, u48(nowSeconds), u16(FUDGE_SECONDS), u16(mac.length), mac],
    ...[message.subarray(ID_AT, ID_AT + 2), u16(0), u16(0)],
  ]);
  const record = encodeRecord({ name: key.name, type: TYPES.TSIG, class: CLASSES.ANY, ttl: 0, data });
  return { bytes: withAdditionalCount(Buffer.concat([message, record]), 1), mac };
}

/**
 * Checks the signature of an answer to a signed request. The answer to a request with an unknown key or a wrong signature is
 * not signed; it only has an error.
 * @throws RangeError when the signature is no signature
 */
export function checkSignature(
  bytes: Buffer,
  { signature }: DnsReply,
  key: TsigKey,
  requestMac: Buffer,
  nowSeconds: number,
): TsigVerdict {
  if (signature === null) return { isVerified: false, error: 0, serverSeconds: null };
  const { algorithm, mac, originalId, ...signed } = readSignature(signature.record.data);
  const unsigned = withAdditionalCount(Buffer.from(bytes.subarray(0, signature.at)), -1);
  originalId.copy(unsigned, ID_AT);
  const variables = variablesOf(signature.record.name, signed);
  const expected = macOf(key, u16(requestMac.length), requestMac, unsigned, variables);
  const isOurs = signature.record.name === key.name.toLowerCase() && algorithm === 'hmac-sha256';
  const isVerified = isOurs && mac.length === MAC_BYTES && timingSafeEqual(mac, expected);
  const isTimely = Math.abs(nowSeconds - signed.seconds) <= signed.fudge;
  const serverSeconds = signed.other.length === 6 ? signed.other.readUIntBE(0, 6) : null;
  return { isVerified: isVerified && isTimely, error: signed.error, serverSeconds };
}

interface Signed {
  seconds: number;
  fudge: number;
  error: number;
  other: Buffer;
}

function readSignature(data: Buffer): Signed & { algorithm: string; mac: Buffer; originalId: Buffer } {
  const { name: algorithm, end } = readName(data, 0);
  const macEnd = end + 10 + data.readUInt16BE(end + 8);
  return {
    algorithm,
    seconds: data.readUIntBE(end, 6),
    fudge: data.readUInt16BE(end + 6),
    mac: data.subarray(end + 10, macEnd),
    originalId: data.subarray(macEnd, macEnd + 2),
    error: data.readUInt16BE(macEnd + 2),
    other: data.subarray(macEnd + 6, macEnd + 6 + data.readUInt16BE(macEnd + 4)),
  };
}

/** The part of the signature that is signed itself (RFC 8945, 4.3.3). */
function variablesOf(name: string, { seconds, fudge, error, other }: Signed): Buffer {
  const noTtl = Buffer.alloc(4);
  const head = [encodeName(name), u16(CLASSES.ANY), noTtl, ALGORITHM, u48(seconds), u16(fudge)];
  return Buffer.concat([...head, u16(error), u16(other.length), other]);
}

function macOf({ secret }: TsigKey, ...parts: Buffer[]): Buffer {
  const hmac = createHmac('sha256', secret);
  for (const part of parts) hmac.update(part);
  return hmac.digest();
}

function withAdditionalCount(message: Buffer, difference: number): Buffer {
  message.writeUInt16BE(message.readUInt16BE(ADDITIONAL_COUNT_AT) + difference, ADDITIONAL_COUNT_AT);
  return message;
}
