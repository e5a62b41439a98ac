import { generate } from 'mqtt-packet';
import { ClientLogins } from './client-logins.js';
import { ConnectCheck } from './connect-check.js';

const logins = new ClientLogins({ username: 'me', password: 'new', previous: { password: 'old', valid_to: null } });
const ACCOUNT = { username: 'me', password: 'known to the broker' };
const LONG = 'x'.repeat(65_535);

interface Outcome {
  /** The bytes for the broker. */
  passed: Buffer;
  accepted: string[];
  refused: (number | null)[];
}

function check(...chunks: Buffer[]): Outcome {
  const [passed, accepted, refused]: [Buffer[], string[], Outcome['refused']] = [[], [], []];
  const stream = new ConnectCheck(logins, ACCOUNT, {
    accepted: ({ password }) => accepted.push(password),
    refused: (code) => refused.push(code),
  });
  stream.on('data', (chunk: Buffer) => passed.push(chunk));
  for (const chunk of chunks) stream.write(chunk);
  let rest: Buffer | null;
  while ((rest = stream.read() as Buffer | null) !== null) passed.push(rest);
  return { passed: Buffer.concat(passed), accepted, refused };
}

const connect = (options: Record<string, unknown> = {}): Buffer =>
  generate({
    ...{ cmd: 'connect', protocolId: 'MQTT', protocolVersion: 4, clean: true, keepalive: 30, clientId: 'sensor' },
    ...{ username: 'me', password: 'new', ...options },
  } as never);
const known = (options: Record<string, unknown> = {}): Buffer => connect({ ...options, password: ACCOUNT.password });
const MESSAGE = generate({ cmd: 'publish', topic: 'a', payload: 'new old me', qos: 0, retain: false, dup: false });

describe('The check of CONNECT', () => {
  it.each(['new', 'old'])(
    'replaces the password "%s" by the one of the broker, and passes later bytes as they are',
    (password) => {
      const will = { topic: 'gone', payload: Buffer.from('bye'), qos: 1, retain: true };
      const options = { will, clean: false, keepalive: 900, clientId: 'ü' };

      const outcome = check(Buffer.concat([connect({ ...options, password }), MESSAGE]), MESSAGE);

      expect(outcome).toEqual({
        passed: Buffer.concat([known(options), MESSAGE, MESSAGE]),
        accepted: [password],
        refused: [],
      });
    },
  );

  it('reads a packet that arrives byte by byte', () => {
    const bytes = [...Buffer.concat([connect(), MESSAGE])].map((byte) => Buffer.from([byte]));

    expect(check(...bytes).passed).toEqual(Buffer.concat([known(), MESSAGE]));
  });

  it('reads the longest fields', () => {
    const options = { clientId: LONG, will: { topic: LONG, payload: Buffer.from(LONG), qos: 0, retain: false } };

    expect(check(connect(options)).passed).toEqual(known(options));
    expect(check(connect({ ...options, password: LONG })).refused).toEqual([5]);
  });

  it.each([
    ['another password', connect({ password: 'guess' }), 5],
    ['the password of the broker', known(), 5],
    ['another user', connect({ username: 'you' }), 5],
    ['no password', connect({ password: undefined }), 5],
    ['no credentials', connect({ username: undefined, password: undefined }), 5],
    ['MQTT 5', connect({ protocolVersion: 5 }), 1],
    ['MQTT 3.1', connect({ protocolId: 'MQIsdp', protocolVersion: 3 }), 1],
    ['another packet', MESSAGE, null],
    ['the end of a field behind the packet', withLength(connect(), -1), null],
    ['bytes behind the password', withLength(Buffer.concat([connect(), Buffer.from('x')]), 1), null],
    ['a body of one byte', Buffer.from([0x10, 1, 0]), null],
    ['an empty body', Buffer.from([0x10, 0]), null],
    ['a length above all fields', Buffer.from([0x10, 0xff, 0xff, 0xff, 0x7f]), null],
    ['a length without an end', Buffer.from([0x10, 0xff, 0xff, 0xff, 0xff]), null],
  ])('refuses %s, and the broker gets no byte', (_what, packet, code) => {
    const { passed, accepted, refused } = check(packet, MESSAGE);

    expect([passed.length, accepted, refused]).toEqual([0, [], [code]]);
  });

  it('waits for the rest of a packet', () => {
    expect(check(connect().subarray(0, 20))).toEqual({ passed: Buffer.alloc(0), accepted: [], refused: [] });
  });
});

/** The same packet with another length in its header. */
function withLength(packet: Buffer, change: number): Buffer {
  const changed = Buffer.from(packet);
  changed[1] = (packet[1] ?? 0) + change;
  return changed;
}
