import { StallWatch } from './stall-watch.js';

const REASON = 'messages wait, and none has moved for 10 seconds';

describe('A connector with waiting messages', () => {
  it('is stalled when nothing has moved for ten seconds', () => {
    const watch = new StallWatch();
    expect(watch.reason(3, 0)).toBeNull();
    expect(watch.reason(3, 9_999)).toBeNull();
    expect(watch.reason(1, 10_000)).toBe(REASON);
  });

  it('is not stalled while messages move, or when it had none', () => {
    const watch = new StallWatch();
    watch.reason(3, 0);
    watch.moved(9_000);
    expect(watch.reason(3, 18_000)).toBeNull();
    expect(watch.reason(3, 19_000)).toBe(REASON);
    expect(watch.reason(0, 20_000)).toBeNull();
    expect(watch.reason(3, 60_000)).toBeNull();
    expect(watch.reason(3, 70_000)).toBe(REASON);
  });
});
