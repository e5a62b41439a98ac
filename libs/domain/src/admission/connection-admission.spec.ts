import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { jest } from '@jest/globals';
import { eventually, stopClock } from '@libs/testing/basics';
import { ConnectionAdmission } from './connection-admission.js';
import type { CutReason } from './newcomer.js';
import type { ConnectionLimits } from './listeners.js';

const LIMITS: ConnectionLimits = {
  ...{ places: 100, unknown: 6, ofNetwork: 3, reserve: 2, ofCaller: 2, cutsAnswers: false },
  ...{ signInMs: 60_000, waiting: 0, handshakeMs: 0 },
};

/** The part of a socket that the admission uses. */
class PlayedSocket extends EventEmitter {
  destroyed = false;
  bytesRead = 0;
  isServed = false;

  destroy(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    this.emit('close');
  }
}

class Listener {
  readonly cuts: CutReason[] = [];
  readonly admission: ConnectionAdmission;

  constructor(limits: Partial<ConnectionLimits> = {}) {
    this.admission = new ConnectionAdmission({ ...LIMITS, ...limits }, (reason) => this.cuts.push(reason));
  }

  open(address: string, { isProxy = false, bytes = 0, isRead = true } = {}): PlayedSocket {
    const socket = new PlayedSocket();
    socket.bytesRead = bytes;
    const serve = (): void => void (socket.isServed = true);
    this.admission.admit(socket as unknown as Socket, { address, isProxy, serve });
    if (isRead) this.read();
    return socket;
  }

  /** Node has read from all connections. */
  read(): void {
    (this.admission as unknown as { unread: { read: () => void } }).unread.read();
  }

  many(count: number, address: (index: number) => string): PlayedSocket[] {
    return Array.from({ length: count }, (_, index) => this.open(address(index)));
  }
}

const alive = (sockets: PlayedSocket[]): boolean[] => sockets.map(({ destroyed }) => !destroyed);

describe('The admission of connections', () => {
  beforeEach(() => void stopClock());
  afterEach(() => void jest.useRealTimers());

  it('cuts the oldest silent connection of a network above its share, also of one /64', () => {
    const listener = new Listener();
    const sockets = listener.many(4, (index) => `2001:db8::${index + 1}`);

    expect(alive(sockets)).toEqual([false, true, true, true]);
    expect(listener.cuts).toEqual(['network']);
  });

  it('cuts a silent connection before one with a part of a request, and never one that is being answered', () => {
    const listener = new Listener();
    const [answered, slow, silent] = listener.many(3, () => '203.0.113.1') as [
      PlayedSocket,
      PlayedSocket,
      PlayedSocket,
    ];
    listener.admission.begin(answered, { complete: true });
    slow.bytesRead = 1;
    jest.advanceTimersByTime(1_000);

    const fourth = listener.open('203.0.113.1');
    expect(alive([answered, slow, silent, fourth])).toEqual([true, true, false, true]);
    const fifth = listener.open('203.0.113.1');
    listener.admission.begin(fifth, { complete: false });
    jest.advanceTimersByTime(1_000);
    const sixth = listener.open('203.0.113.1');
    expect(alive([answered, slow, fourth, fifth, sixth])).toEqual([true, false, false, true, true]);
    for (const socket of [fifth, sixth]) listener.admission.begin(socket, null);

    expect(listener.open('203.0.113.1').destroyed).toBe(true);
    expect(listener.open('203.0.113.2').destroyed).toBe(false);
  });

  it('gives a new caller time to speak, before the attackers of its network who have sent a part of a request', () => {
    const listener = new Listener();
    const slow = listener.many(2, () => '203.0.113.1');
    for (const socket of slow) socket.bytesRead = 1;
    jest.advanceTimersByTime(1_000);
    const caller = listener.open('203.0.113.1');

    const attackers = listener.many(2, () => '203.0.113.1');

    expect(alive([...slow, caller, ...attackers])).toEqual([false, false, true, true, true]);
    expect(alive([caller, listener.open('203.0.113.1')])).toEqual([false, true]);
  });

  it('cuts no connection that Node has not read from, and applies the share after that', () => {
    const listener = new Listener();
    const sockets = Array.from({ length: 8 }, () => listener.open('203.0.113.1', { isRead: false }));
    expect(alive(sockets)).toEqual(sockets.map(() => true));
    const [caller] = sockets;
    listener.admission.begin(caller ?? {}, null);

    listener.read();

    expect(caller?.destroyed).toBe(false);
    expect(alive(sockets).filter(Boolean)).toHaveLength(3);
  });

  it('takes a place from the network with the most connections', () => {
    const listener = new Listener();
    const large = listener.many(3, () => '203.0.113.1');
    const small = listener.many(3, (index) => `198.51.100.${index}`);

    const newcomer = listener.open('192.0.2.1');

    expect(alive([...large, ...small, newcomer])).toEqual([false, true, true, true, true, true, true]);
  });

  it('keeps a reserve for networks with known callers, which unknown networks cannot take', () => {
    const listener = new Listener();
    const home = listener.open('192.0.2.1');
    listener.admission.know(home, 'ann');
    home.destroy();
    const crowd = listener.many(6, (index) => `203.0.113.${index}`);
    const guests = listener.many(2, () => '192.0.2.1');

    expect(alive([...crowd, ...guests])).toEqual(Array.from({ length: 8 }, () => true));
    const more = listener.many(20, (index) => `198.51.100.${index}`);
    expect(alive(guests)).toEqual([true, true]);
    expect(more.filter(({ destroyed }) => !destroyed)).toHaveLength(listener.admission.counts.unknown - 2);
  });

  it('counts a known connection for its caller only: the newest replaces the oldest', () => {
    const listener = new Listener();
    const sockets = listener.many(3, () => '203.0.113.1');
    for (const socket of sockets) listener.admission.know(socket, 'ann');

    expect(alive(sockets)).toEqual([false, true, true]);
    expect(listener.cuts).toEqual(['caller']);
    expect(listener.admission.counts).toEqual({ unknown: 0, known: 2, waiting: 0 });
  });

  it.each([
    [true, [false, true, true], true],
    [false, [true, true, true], false],
  ])('cuts a caller that is being answered only where this is allowed: %s', (cutsAnswers, connections, isKnown) => {
    const listener = new Listener({ cutsAnswers });
    const sockets = listener.many(3, () => '203.0.113.1');
    const places = sockets.map((socket) => {
      listener.admission.begin(socket, null);
      return listener.admission.know(socket, 'ann');
    });

    expect(places).toEqual([true, true, isKnown]);
    expect(alive(sockets)).toEqual(connections);
    expect(listener.admission.counts.known).toBe(2);
  });

  it('gives the last places of the listener to a new caller, from the caller with the most idle connections', () => {
    const listener = new Listener({ places: 4, unknown: 2, ofCaller: 10 });
    const ports = Array.from({ length: 4 }, () => {
      const socket = listener.open('203.0.113.1');
      listener.admission.know(socket, 'greedy');
      return socket;
    });
    const caller = listener.open('192.0.2.1');

    expect(alive([...ports, caller])).toEqual([false, true, true, true, true]);
    expect(listener.cuts).toEqual(['places']);
  });

  it('gives a proxy no share of its own, and each of its clients one', () => {
    const listener = new Listener({ unknown: 20 });
    const sockets = Array.from({ length: 8 }, () => listener.open('10.0.0.1', { isProxy: true }));
    expect(alive(sockets)).toEqual(sockets.map(() => true));

    for (const socket of sockets.slice(0, 4)) listener.admission.locate(socket, '203.0.113.1');
    expect(alive(sockets.slice(0, 4))).toEqual([false, true, true, true]);
    listener.admission.locate(sockets[4] ?? {}, '203.0.113.2');
    expect(sockets[4]?.destroyed).toBe(false);
  });

  it('forgets the caller of a proxied connection with each answer', () => {
    const listener = new Listener();
    const socket = listener.open('10.0.0.1', { isProxy: true });
    listener.admission.locate(socket, '203.0.113.1');
    listener.admission.know(socket, 'ann');
    expect(listener.admission.isKnown(socket)).toBe(true);
    listener.admission.end(socket);
    listener.admission.locate(socket, '203.0.113.9');

    expect(listener.admission.isKnown(socket)).toBe(false);
    expect(listener.admission.counts).toEqual({ unknown: 1, known: 0, waiting: 0 });
  });

  it('cuts a connection that has not signed in in time, however slowly it sends, and none that is being answered', async () => {
    const listener = new Listener({ signInMs: 20 });
    const [silent, slow, answered, known] = listener.many(4, (index) => `203.0.113.${index}`);
    listener.admission.begin(slow ?? {}, { complete: false });
    listener.admission.begin(answered ?? {}, { complete: true });
    listener.admission.know(known ?? {}, 'ann');

    await eventually('both are cut', () => {
      jest.advanceTimersByTime(10);
      return silent?.destroyed && slow?.destroyed;
    });

    expect([answered?.destroyed, known?.destroyed]).toEqual([false, false]);
    expect(listener.cuts).toEqual(['sign_in_time', 'sign_in_time']);
  });

  it('lets connections wait, and serves networks in turn', () => {
    const listener = new Listener({ unknown: 1, reserve: 0, ofNetwork: 10, waiting: 10, handshakeMs: 1_000 });
    const first = listener.open('203.0.113.1');
    const crowd = listener.many(3, () => '203.0.113.2');
    const single = listener.open('192.0.2.1');
    expect([first, ...crowd, single].map(({ isServed }) => isServed)).toEqual([true, false, false, false, false]);

    first.destroy();
    expect(crowd[0]?.isServed).toBe(true);
    listener.admission.know(crowd[0] ?? {}, 'node 1');

    expect(single.isServed).toBe(true);
    expect(crowd.map(({ isServed }) => isServed)).toEqual([true, false, false]);
  });

  it('closes all connections before sign-in when it stops', () => {
    const listener = new Listener({ unknown: 1, waiting: 5, handshakeMs: 1_000 });
    const sockets = listener.many(3, (index) => `203.0.113.${index}`);
    listener.admission.stop();

    expect(alive(sockets)).toEqual([false, false, false]);
    expect(listener.admission.counts).toEqual({ unknown: 0, known: 0, waiting: 0 });
  });
});
