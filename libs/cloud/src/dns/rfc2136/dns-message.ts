import { isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { CloudError } from '../../cloud-error.js';

/** Numbers of RFC 1035, 2136 and 8945. */
export const TYPES = { A: 1, CNAME: 5, SOA: 6, TXT: 16, AAAA: 28, TSIG: 250, ANY: 255 } as const;
export const CLASSES = { IN: 1, NONE: 254, ANY: 255 } as const;
export const OPCODES = { query: 0, update: 5 } as const;
export const RCODES = {
  NOERROR: 0,
  FORMERR: 1,
  SERVFAIL: 2,
  NXDOMAIN: 3,
  NOTIMP: 4,
  REFUSED: 5,
  YXDOMAIN: 6,
  YXRRSET: 7,
  NXRRSET: 8,
  NOTAUTH: 9,
  NOTZONE: 10,
} as const;

const HEADER_BYTES = 12;
const RESPONSE_FLAG = 0x8000;
const [LABEL_BYTES, NAME_BYTES, TEXT_BYTES] = [63, 255, 255];
const NO_DATA = Buffer.alloc(0);

/** A record, or in an update a condition or a removal (RFC 2136, 2.4 and 2.5). */
export interface DnsRecord {
  name: string;
  type: number;
  class: number;
  ttl: number;
  data: Buffer;
}

/** The four sections. In an update they are zone, conditions, changes and additional data. */
export interface DnsRequest {
  id: number;
  opcode: number;
  question: { name: string; type: number };
  conditions?: readonly DnsRecord[];
  changes?: readonly DnsRecord[];
}

/** What Landlord reads of an answer. */
export interface DnsReply {
  id: number;
  rcode: number;
  answers: DnsRecord[];
  /** The signature, if the last record is one, and the place where it starts. */
  signature: { record: DnsRecord; at: number } | null;
}

/** Nobody has a record of this type at the name. `ANY`: nobody has any record. */
export const unused = (name: string, type: number): DnsRecord => ({
  ...{ name, type, class: CLASSES.NONE, ttl: 0, data: NO_DATA },
});

/** Removes all records of the type at the name. */
export const removal = (name: string, type: number): DnsRecord => ({
  ...{ name, type, class: CLASSES.ANY, ttl: 0, data: NO_DATA },
});

/** A record of an address, or of the host name of a load balancer. */
export function recordOf(name: string, target: string, ttl: number): DnsRecord {
  const record = { name, ttl, class: CLASSES.IN };
  // An address with a zone is for one machine only.
  if (!isIP(target) || target.includes('%')) return { ...record, type: TYPES.CNAME, data: encodeName(target) };
  const data = Buffer.from(ipaddr.parse(target).toByteArray());
  return { ...record, type: isIPv4(target) ? TYPES.A : TYPES.AAAA, data };
}

/** A record with one text of at most 255 bytes. */
export function textRecord(name: string, text: string, ttl: number): DnsRecord {
  const bytes = Buffer.from(text);
  if (bytes.length > TEXT_BYTES) throw refused(`the text of ${name} is longer than ${TEXT_BYTES} bytes`);
  return { ...{ name, ttl, class: CLASSES.IN, type: TYPES.TXT }, data: Buffer.concat([u8(bytes.length), bytes]) };
}

export function encodeRequest({ id, opcode, question, conditions = [], changes = [] }: DnsRequest): Buffer {
  const header = [id, opcode << 11, 1, conditions.length, changes.length, 0].map(u16);
  const asked = [encodeName(question.name), u16(question.type), u16(CLASSES.IN)];
  return Buffer.concat([...header, ...asked, ...[...conditions, ...changes].map(encodeRecord)]);
}

export function encodeRecord({ name, type, class: class_, ttl, data }: DnsRecord): Buffer {
  return Buffer.concat([encodeName(name), u16(type), u16(class_), u32(ttl), u16(data.length), data]);
}

/** The name in lower case, without compression: the form that a signature covers. @throws CloudError for no name of DNS */
export function encodeName(name: string): Buffer {
  const labels = name
    .toLowerCase()
    .replace(/\.$/, '')
    .split('.')
    .map((label) => Buffer.from(label, 'ascii'));
  const isName = /^[\w-]+(\.[\w-]+)*\.?$/.test(name) && labels.every(({ length }) => length <= LABEL_BYTES);
  const bytes = Buffer.concat([...labels.flatMap((label) => [u8(label.length), label]), u8(0)]);
  if (!isName || bytes.length > NAME_BYTES)
    throw refused(`${name === '' ? 'an empty text' : name} is not a name of DNS`);
  return bytes;
}

/** @throws CloudError when the bytes are no answer */
export function decodeReply(bytes: Buffer): DnsReply {
  try {
    return decode(bytes);
  } catch (error) {
    throw new CloudError({ code: 'unavailable' }, 'the DNS server sent no message of DNS', { cause: error });
  }
}

function decode(bytes: Buffer): DnsReply {
  const flags = bytes.readUInt16BE(2);
  if ((flags & RESPONSE_FLAG) === 0) throw new RangeError('the message is not an answer');
  const [questions = 0, ...counts] = [4, 6, 8, 10].map((at) => bytes.readUInt16BE(at));
  let at = HEADER_BYTES;
  for (let index = 0; index < questions; index += 1) at = readName(bytes, at).end + 4;
  const sections: DnsRecord[][] = [];
  let signature: DnsReply['signature'] = null;
  for (const count of counts) {
    const records: DnsRecord[] = [];
    for (let index = 0; index < count; index += 1) {
      const { record, end } = readRecord(bytes, at);
      signature = record.type === TYPES.TSIG ? { record, at } : null;
      records.push(record);
      at = end;
    }
    sections.push(records);
  }
  return { id: bytes.readUInt16BE(0), rcode: flags & 0xf, answers: sections[0] ?? [], signature };
}

function readRecord(bytes: Buffer, start: number): { record: DnsRecord; end: number } {
  const { name, end: at } = readName(bytes, start);
  const [type, class_, ttl] = [bytes.readUInt16BE(at), bytes.readUInt16BE(at + 2), bytes.readUInt32BE(at + 4)];
  const [from, length] = [at + 10, bytes.readUInt16BE(at + 8)];
  if (from + length > bytes.length) throw new RangeError('the record is longer than the message');
  return { record: { name, type, class: class_, ttl, data: bytes.subarray(from, from + length) }, end: from + length };
}

/** A pointer must lead back, so that no message leads in circles. */
export function readName(bytes: Buffer, start: number): { name: string; end: number } {
  const labels: string[] = [];
  let [at, end, earliest] = [start, -1, start];
  for (let length = bytes.readUInt8(at); length !== 0; length = bytes.readUInt8(at)) {
    if (length >= 0xc0) {
      if (end < 0) end = at + 2;
      at = bytes.readUInt16BE(at) & 0x3fff;
      if (at >= earliest) throw new RangeError('a name points forward');
      earliest = at;
    } else {
      if (length > LABEL_BYTES || at + 1 + length > bytes.length) throw new RangeError('a label is too long');
      labels.push(bytes.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
  }
  return { name: labels.join('.').toLowerCase(), end: end < 0 ? at + 1 : end };
}

const refused = (message: string): CloudError => new CloudError({ code: 'invalid' }, message);

export function u8(value: number): Buffer {
  return Buffer.from([value]);
}

export function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

export function u48(value: number): Buffer {
  const bytes = Buffer.alloc(6);
  bytes.writeUIntBE(value, 0, 6);
  return bytes;
}
