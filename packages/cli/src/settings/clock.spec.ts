import { clockNotice, noteTime, timeOfInstallation } from './clock.js';

describe('The clock', () => {
  it('of the installation counts when the clock of this machine is wrong', () => {
    noteTime(undefined);
    noteTime('no time');
    noteTime(new Date().toUTCString());
    expect(clockNotice()).toBeNull();

    noteTime(new Date(Date.now() - 7_200_000).toUTCString());
    expect(clockNotice()).toContain('120 minutes ahead of');
    expect(Math.abs(timeOfInstallation() - (Date.now() - 7_200_000))).toBeLessThan(60_000);
  });
});
