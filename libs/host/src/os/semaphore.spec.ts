import { Semaphore } from './semaphore.js';

describe('Semaphore', () => {
  it('limits concurrent work, and runs all of it', async () => {
    const slots = new Semaphore(2);
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

  it('removes an aborted waiter from the queue without using a slot', async () => {
    const slots = new Semaphore(1);
    let release: () => void = () => undefined;
    const first = slots.run(() => new Promise<void>((resolve) => (release = resolve)));
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
