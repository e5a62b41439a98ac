import { FrameFilter, type Account } from './frame-filter.js';

const CODE = { ping: 1, snapshot: 11, login: 38, token: 44, send: 101 };
const ACCOUNT: Account = { username: 'account-of-the-server', password: 'p'.repeat(64) };

function frame(code: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt32LE(payload.length + 4, 0);
  header.writeUInt32LE(code, 4);
  return Buffer.concat([header, payload]);
}

const text = (value: string): Buffer => Buffer.concat([Buffer.from([Buffer.byteLength(value)]), Buffer.from(value)]);

const login = (username: string, password: string, rest = Buffer.alloc(8)): Buffer =>
  frame(CODE.login, Buffer.concat([text(username), text(password), rest]));

/** A filter that lets one client in, and records who asked. */
function aFilter(countsRuns = false, mayStore = true) {
  const calls: string[] = [];
  const desk = {
    signIn: (username: Buffer, password: Buffer) => {
      calls.push(`${username.toString()}/${password.toString()}`);
      return username.toString() === 'admin' ? ACCOUNT : null;
    },
    signInByToken: () => void calls.push('token'),
    mayStore: () => mayStore,
  };
  return { filter: new FrameFilter(desk, countsRuns), asked: calls };
}

const NO_REQUEST = frame(0xffff_ffff);

describe('the filter of frames', () => {
  const sent = [
    frame(CODE.ping),
    login('admin', 'secret', Buffer.from('version and context')),
    frame(CODE.send, Buffer.from('x'.repeat(500))),
    frame(CODE.snapshot, Buffer.from([1, 1, 100])),
    login('root', ''),
    frame(CODE.send, Buffer.alloc(0)),
    frame(99, Buffer.from('of a later release')),
    frame(CODE.token, text('a token')),
  ];
  const passed = [
    frame(CODE.ping),
    login(ACCOUNT.username, ACCOUNT.password, Buffer.from('version and context')),
    frame(CODE.send, Buffer.from('x'.repeat(500))),
    NO_REQUEST,
    login('nobody', 'refused'),
    frame(CODE.send, Buffer.alloc(0)),
    NO_REQUEST,
    frame(CODE.token, text('a token')),
  ];

  it('replaces sign-ins and refused requests, in chunks of any size', () => {
    const bytes = Buffer.concat(sent);
    for (let size = 1; size <= bytes.length; size += 1) {
      const { filter, asked: calls } = aFilter();
      const out: Buffer[] = [];
      for (let at = 0; at < bytes.length; at += size) out.push(filter.pass(bytes.subarray(at, at + size)).bytes);
      expect([size, Buffer.concat(out).equals(Buffer.concat(passed))]).toEqual([size, true]);
      expect([size, calls]).toEqual([size, ['admin/secret', 'root/', 'token']]);
    }
  });

  it('passes a chunk without sign-ins as the same piece of memory', () => {
    const { filter } = aFilter();
    const chunk = Buffer.concat([
      frame(CODE.send, Buffer.alloc(1_000)),
      frame(CODE.ping),
      frame(CODE.send).subarray(0, 8),
    ]);

    expect(filter.pass(chunk).bytes).toBe(chunk);
  });

  it('refuses only requests that store something new while the disk is full', () => {
    const { filter } = aFilter(false, false);
    const storing = [101, 202, 302, 402, 33, 42, 602].map((code) => frame(code, Buffer.from('new')));
    const others = [frame(CODE.ping), frame(100, Buffer.from('poll')), frame(203), frame(303), frame(121)];

    const { bytes } = filter.pass(Buffer.concat([...storing, ...others]));

    expect(bytes.equals(Buffer.concat([...storing.map(() => NO_REQUEST), ...others]))).toBe(true);
  });

  it('tells the bytes of messages from all others', () => {
    const { filter } = aFilter(true);
    const { bytes, runs } = filter.pass(Buffer.concat(sent));

    expect(runs.reduce((sum, run) => sum + run.bytes, 0)).toBe(bytes.length);
    expect(runs.filter(({ isPublish }) => isPublish).map((run) => run.bytes)).toEqual([508, 8]);
  });

  it.each([
    ['a length without a code', Buffer.from([3, 0, 0, 0, 1, 0, 0, 0])],
    ['4 GiB', Buffer.from([255, 255, 255, 255, 101, 0, 0, 0])],
    ['a sign-in of a megabyte', frame(CODE.login, Buffer.alloc(1_000_000)).subarray(0, 8)],
    ['a sign-in whose name is longer than the frame', frame(CODE.login, Buffer.from([200, 1, 2]))],
    ['a sign-in without a password', frame(CODE.login, text('admin'))],
    ['an empty sign-in', frame(CODE.login)],
  ])('refuses %s', (_case, bytes) => {
    expect(() => aFilter().filter.pass(bytes)).toThrow(/^the (frame|sign-in) /);
  });
});
