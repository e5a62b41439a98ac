import { PublishPace } from './publish-pace.js';
import { PublishRuns } from './publish-runs.js';
import { PublishRate, type RateClock } from './publish-rate.js';

const RATE = 100_000;
const IN_FLIGHT = 20;
const KEEPALIVE_MS = 30_000;
const PING = Buffer.from([0xc0, 0]);

/** A clock that moves only to the next timer. */
class SimulatedClock implements RateClock {
  private ms = 0;
  private timers: { atMs: number; work: () => void }[] = [];

  nowMs(): number {
    return this.ms;
  }

  after(ms: number, work: () => void): void {
    this.timers.push({ atMs: this.ms + ms, work });
  }

  runUntil(isDone: () => boolean): void {
    while (!isDone()) {
      this.timers.sort((a, b) => a.atMs - b.atMs);
      const next = this.timers.shift();
      if (!next) throw new Error('nothing waits for the clock');
      this.ms = next.atMs;
      next.work();
    }
  }

  pass(ms: number): void {
    let isOver = false;
    this.after(ms, () => (isOver = true));
    this.runUntil(() => isOver);
  }
}

/** A PUBLISH packet of QoS 1 of exactly this many bytes, at least 130 and less than 16 KiB. */
function aPublish(bytes: number): Buffer {
  const body = bytes - 3;
  return Buffer.concat([Buffer.from([0x32, (body & 0x7f) | 0x80, body >> 7]), Buffer.alloc(body, 0xc0)]);
}

/** A client that sends messages with at most 20 in flight. Its messages are acknowledged when their last byte has passed. */
class InFlightClient {
  passed = 0;
  longestWaitMs = 0;
  private sent = 0;
  private waiting: Buffer[] = [];
  private isTaken = false;
  private lastPassMs: number;
  private readonly framing = new PublishRuns();
  private readonly pace: PublishPace;

  constructor(
    rate: PublishRate,
    private readonly clock: SimulatedClock,
    private readonly messages: number,
    private readonly message: Buffer,
  ) {
    this.lastPassMs = clock.nowMs();
    this.pace = new PublishPace(
      rate,
      (part) => {
        this.longestWaitMs = Math.max(this.longestWaitMs, clock.nowMs() - this.lastPassMs);
        this.lastPassMs = clock.nowMs();
        this.passed += part.length;
      },
      () => {
        this.isTaken = false;
        this.clock.after(0, () => this.send());
      },
    );
    this.send();
  }

  get isDone(): boolean {
    return this.passed === this.messages * this.message.length;
  }

  private send(): void {
    const acknowledged = Math.floor(this.passed / this.message.length);
    for (; this.sent < this.messages && this.sent - acknowledged < IN_FLIGHT; this.sent += 1)
      this.waiting.push(this.message);
    if (this.isTaken || this.waiting.length === 0) return;
    this.isTaken = true;
    const chunk = Buffer.concat(this.waiting.splice(0));
    this.pace.take(chunk, this.framing.split(chunk));
  }
}

/** A connection that records what passes. */
function aPace(rate: PublishRate) {
  const parts: Buffer[] = [];
  const drained = { times: 0 };
  const pace = new PublishPace(
    rate,
    (part) => parts.push(part),
    () => (drained.times += 1),
  );
  const framing = new PublishRuns();
  const take = (chunk: Buffer): void => pace.take(chunk, framing.split(chunk));
  return { pace, take, parts, drained, passed: () => Buffer.concat(parts).length };
}

describe('PublishRate', () => {
  it('lets 10 MB with 20 in flight take 100 seconds', () => {
    const clock = new SimulatedClock();
    const client = new InFlightClient(new PublishRate(RATE, clock), clock, 10_000, aPublish(1_000));

    clock.runUntil(() => client.isDone);

    expect(clock.nowMs()).toBeGreaterThanOrEqual(99_000);
    expect(clock.nowMs()).toBeLessThanOrEqual(101_000);
    expect(client.longestWaitMs).toBeLessThan(KEEPALIVE_MS / 10);
  });

  it('shares the rate fairly, so that no connection waits long', () => {
    const clock = new SimulatedClock();
    const rate = new PublishRate(RATE, clock);
    const clients = Array.from({ length: 50 }, () => new InFlightClient(rate, clock, 100, aPublish(2_000)));

    clock.runUntil(() => clients.every(({ isDone }) => isDone));

    expect(clock.nowMs()).toBeGreaterThanOrEqual(99_000);
    expect(clock.nowMs()).toBeLessThanOrEqual(101_000);
    for (const { longestWaitMs } of clients) expect(longestWaitMs).toBeLessThan(KEEPALIVE_MS / 10);
  });

  it('stores at most a burst while nothing is published', () => {
    const clock = new SimulatedClock();
    const rate = new PublishRate(RATE, clock);
    clock.pass(60_000);
    const { take, passed } = aPace(rate);

    take(Buffer.concat(Array.from({ length: 30 }, () => aPublish(10_000))));

    expect(passed()).toBeLessThanOrEqual(RATE);
    expect(passed()).toBeGreaterThan(0);
    clock.pass(1_000);
    expect(passed()).toBeLessThanOrEqual(RATE * 2);
    clock.runUntil(() => passed() === 300_000);
    expect(clock.nowMs()).toBeGreaterThanOrEqual(62_000);
  });

  it('passes packets other than PUBLISH at once while another connection waits', () => {
    const clock = new SimulatedClock();
    const rate = new PublishRate(RATE, clock);
    const writer = aPace(rate);
    writer.take(Buffer.concat(Array.from({ length: 30 }, () => aPublish(10_000))));
    const reader = aPace(rate);

    for (let count = 0; count < 100; count += 1) reader.take(PING);

    expect([reader.passed(), reader.drained.times]).toEqual([200, 100]);
    expect(writer.drained.times).toBe(0);
  });

  it('passes all bytes in their order, and those behind the last PUBLISH without a turn', () => {
    const clock = new SimulatedClock();
    const { take, parts, passed, drained } = aPace(new PublishRate(RATE, clock));
    const bytes = Buffer.concat([PING, aPublish(12_000), PING, PING, aPublish(9_000), aPublish(15_000), PING]);

    take(bytes);
    clock.runUntil(() => passed() === bytes.length);

    expect(Buffer.concat(parts)).toEqual(bytes);
    expect(drained.times).toBe(1);
  });

  it('passes a packet that is larger than the burst, in pieces', () => {
    const clock = new SimulatedClock();
    const { take, passed } = aPace(new PublishRate(1_000, clock));

    take(aPublish(10_000));
    clock.runUntil(() => passed() === 10_000);

    expect(clock.nowMs()).toBeGreaterThanOrEqual(9_000);
    expect(clock.nowMs()).toBeLessThanOrEqual(10_500);
  });

  it('gives no turn to a closed connection', () => {
    const clock = new SimulatedClock();
    const rate = new PublishRate(RATE, clock);
    const [closed, open] = [aPace(rate), aPace(rate)];
    closed.take(Buffer.concat(Array.from({ length: 20 }, () => aPublish(10_000))));
    const before = closed.passed();
    open.take(aPublish(1_000));

    closed.pace.close();
    clock.runUntil(() => open.passed() === 1_000);

    expect([closed.passed(), closed.drained.times]).toEqual([before, 0]);
    expect(clock.nowMs()).toBeLessThan(1_000);
  });
});
