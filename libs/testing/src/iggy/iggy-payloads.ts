const HEADER_BYTES = 64;
const INDEX_BYTES = 16;
/** Positions in the header of a message. */
const USER_HEADERS_AT = 48;
const PAYLOAD_AT = 52;
/** The number of the first partition. */
const FIRST_PARTITION = 0;
const [BY_NAME, CONSUMER, BY_PARTITION, FROM_OFFSET] = [2, 1, 2, 1];

/** Codes of requests of the binary protocol of Iggy 0.8. */
export const IGGY_CODES = { ping: 1, poll: 100, send: 101, createStream: 202, createTopic: 302 } as const;

/** A stream with this name. */
export const streamPayload = (name: string): Buffer => shortText(name);

/** A topic of one partition in the stream of the same name. Its messages do not expire. */
export function topicPayload(name: string): Buffer {
  const [partitions, noCompression, replicas] = [uint32(1), Buffer.from([1]), Buffer.from([1])];
  const [expiry, size] = [uint64(2n ** 64n - 1n), uint64(2n ** 64n - 1n)];
  return Buffer.concat([byName(name), partitions, noCompression, expiry, size, replicas, shortText(name)]);
}

/** Texts for the partition of the topic, in one batch. */
export function messagesPayload(name: string, texts: readonly string[]): Buffer {
  const partition = Buffer.concat([Buffer.from([BY_PARTITION, 4]), uint32(FIRST_PARTITION)]);
  const meta = Buffer.concat([byName(name), byName(name), partition, uint32(texts.length)]);
  const messages = texts.map(message);
  let end = 0;
  const indexes = messages.map((one) => {
    const index = Buffer.alloc(INDEX_BYTES);
    index.writeUInt32LE((end += one.length), 4);
    return index;
  });
  return Buffer.concat([uint32(meta.length), meta, ...indexes, ...messages]);
}

/** The first `count` messages of the partition of the topic. */
export function pollPayload(name: string, count: number): Buffer {
  const consumer = Buffer.concat([Buffer.from([CONSUMER]), Buffer.from([1, 4]), uint32(1)]);
  const partition = Buffer.concat([Buffer.from([1]), uint32(FIRST_PARTITION)]);
  const strategy = Buffer.concat([Buffer.from([FROM_OFFSET]), uint64(0n)]);
  return Buffer.concat([
    ...[consumer, byName(name), byName(name), partition, strategy],
    ...[uint32(count), Buffer.from([0])],
  ]);
}

/** The texts in the answer to a poll. */
export function polledTexts(answer: Buffer): string[] {
  const texts: string[] = [];
  // The number of the partition, the current offset and the count come before the messages.
  for (let at = 16; at + HEADER_BYTES <= answer.length;) {
    const begin = at + HEADER_BYTES;
    const end = begin + answer.readUInt32LE(at + PAYLOAD_AT);
    texts.push(answer.toString('utf8', begin, end));
    at = end + answer.readUInt32LE(at + USER_HEADERS_AT);
  }
  return texts;
}

function message(text: string): Buffer {
  const payload = Buffer.from(text);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32LE(payload.length, PAYLOAD_AT);
  return Buffer.concat([header, payload]);
}

const shortText = (text: string): Buffer => Buffer.concat([Buffer.from([Buffer.byteLength(text)]), Buffer.from(text)]);
const byName = (name: string): Buffer => Buffer.concat([Buffer.from([BY_NAME]), shortText(name)]);

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function uint64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}
