/** The packets of MQTT 3.1.1 that the page needs. See http://docs.oasis-open.org/mqtt/mqtt/v3.1.1/mqtt-v3.1.1.html. */
export const TYPE = {
  connack: 2,
  publish: 3,
  puback: 4,
  pubrec: 5,
  pubrel: 6,
  pubcomp: 7,
  suback: 9,
  unsuback: 11,
  pingresp: 13,
} as const;

const CLEAN_SESSION_WITH_CREDENTIALS = 0b1100_0010;

export interface ConnectFacts {
  clientId: string;
  username: string;
  password: string;
  keepAliveSeconds: number;
}

export interface OutgoingMessage {
  topic: string;
  payload: Buffer;
  qos: 0 | 1;
  retain: boolean;
}

export const connectPacket = ({ clientId, username, password, keepAliveSeconds }: ConnectFacts): Buffer =>
  packet(
    0x10,
    text('MQTT'),
    Buffer.from([4, CLEAN_SESSION_WITH_CREDENTIALS]),
    number(keepAliveSeconds),
    text(clientId),
    text(username),
    text(password),
  );

export const subscribePacket = (id: number, topic: string): Buffer =>
  packet(0x82, number(id), text(topic), Buffer.from([0]));

export const unsubscribePacket = (id: number, topic: string): Buffer => packet(0xa2, number(id), text(topic));

export const publishPacket = (id: number, { topic, payload, qos, retain }: OutgoingMessage): Buffer =>
  packet(0x30 | (qos << 1) | (retain ? 1 : 0), text(topic), ...(qos > 0 ? [number(id)] : []), payload);

export const pingPacket = (): Buffer => Buffer.from([0xc0, 0]);
export const disconnectPacket = (): Buffer => Buffer.from([0xe0, 0]);

/** The answer to a message with QoS 1 or 2, or to PUBREL. */
export const acknowledgement = (type: 'puback' | 'pubrec' | 'pubcomp', id: number): Buffer =>
  packet(TYPE[type] << 4, number(id));

function packet(firstByte: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const header = [firstByte];
  let bytesLeft = body.length;
  do {
    header.push((bytesLeft % 128) + (bytesLeft >= 128 ? 0x80 : 0));
    bytesLeft = Math.floor(bytesLeft / 128);
  } while (bytesLeft > 0);
  return Buffer.concat([Buffer.from(header), body]);
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([number(bytes.length), bytes]);
}

function number(value: number): Buffer {
  return Buffer.from([value >> 8, value & 0xff]);
}
