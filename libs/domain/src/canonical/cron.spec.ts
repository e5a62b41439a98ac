import { canonicalCron } from './cron.js';

describe('A cron expression', () => {
  it.each([
    ['0 3 * * *', '0 3 * * *'],
    ['  0  3\t* *   * ', '0 3 * * *'],
    ['0 3 * * 7', '0 3 * * 0'],
    ['0 3 * * 0,7', '0 3 * * 0'],
    ['0 3 * * 5-7', '0 3 * * 0,5,6'],
    ['0 3 * * 0-7', '0 3 * * 0,1,2,3,4,5,6'],
    ['0 3 * * 1-7/2', '0 3 * * 0,1,3,5'],
    ['0 3 * * sun,0,SUN', '0 3 * * 0'],
    ['0 3 * * mon-fri', '0 3 * * MON-FRI'],
    ['0 3,3,4 1,1 jan,JAN *', '0 3,4 1 JAN *'],
    ['0 3 * * 6-2', '0 3 * * 6-2'],
    ['0 3 * * 8,9', '0 3 * * 8,9'],
    ['0 3 * *', '0 3 * *'],
    ['@daily', '@DAILY'],
  ])('has one form: %j is %j', (text, form) => {
    expect(canonicalCron(text)).toBe(form);
    expect(canonicalCron(form)).toBe(form);
  });
});
