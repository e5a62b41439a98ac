import { segmentsBetween } from './base-backup.js';

describe('The segments of the log', () => {
  it('include the first and the last, also when the upper number changes', () => {
    expect(segmentsBetween('0000000100000002000000FE', '000000010000000300000001', 16 * 1024 * 1024)).toEqual([
      '0000000100000002000000FE',
      '0000000100000002000000FF',
      '000000010000000300000000',
      '000000010000000300000001',
    ]);
  });

  it('are just one after a short backup', () => {
    const name = '000000010000000000000003';
    expect(segmentsBetween(name, name, 16 * 1024 * 1024)).toEqual([name]);
  });
});
