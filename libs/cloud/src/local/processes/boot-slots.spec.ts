import { BootSlots } from './boot-slots.js';

describe('BootSlots', () => {
  it('lets no more than its number work at once, and all in the end', async () => {
    const slots = new BootSlots(2);
    const now = { working: 0, most: 0, done: 0 };
    const work = async (): Promise<void> => {
      now.working += 1;
      now.most = Math.max(now.most, now.working);
      await new Promise((wake) => setImmediate(wake));
      now.working -= 1;
      now.done += 1;
    };

    await Promise.all(Array.from({ length: 7 }, () => slots.run(work)));

    expect(now).toEqual({ working: 0, most: 2, done: 7 });
  });

  it('lets an aborted waiter leave the line without taking a slot', async () => {
    const slots = new BootSlots(1);
    let release: () => void = () => undefined;
    const first = slots.run(() => new Promise<void>((done) => (release = done)));
    const abort = new AbortController();
    const second = slots.run(() => Promise.resolve('second'), abort.signal);
    const third = slots.run(() => Promise.resolve('third'));

    abort.abort(new Error('enough'));
    await expect(second).rejects.toThrow('enough');
    release();

    expect(await third).toBe('third');
    await first;
  });
});
