import { bytes, bytesText, durationText, milliseconds } from './quantities.js';

describe('milliseconds', () => {
  it.each([
    ['10 s', 10_000],
    ['10s', 10_000],
    ['1m 30s', 90_000],
    ['1 h', 3_600_000],
    ['7 days', 604_800_000],
    ['500ms', 500],
    ['50 us', 0.05],
    ['0', 0],
    ['0 s', 0],
    ['disabled', 0],
    ['unlimited', 0],
    ['', null],
    ['10', null],
    ['-1 s', null],
    ['1.5 s', null],
    ['10 parsecs', null],
    ['s', null],
    [`${'1s '.repeat(10_000)}!`, null],
  ])('reads %j as %j', (text, expected) => {
    expect(milliseconds(text)).toBe(expected);
  });
});

describe('bytes', () => {
  it.each([
    ['64 MiB', 64 * 2 ** 20],
    ['2 MB', 2_000_000],
    ['1200 B', 1_200],
    ['1.5 KiB', 1_536],
    ['512', 512],
    ['0', 0],
    ['62.5 KiB', 64_000],
    ['4294967.295 KB', 4_294_967_295],
    ['none', null],
    ['unlimited', null],
    ['disabled', null],
    ['64 mib', null],
    ['2mb', null],
    ['1200 b', null],
    ['', null],
    ['0.3 B', null],
    ['-1 B', null],
    ['5 blobs', null],
  ])('reads %j as %j', (text, expected) => {
    expect(bytes(text)).toBe(expected);
  });

  it('is written in the largest unit without a remainder', () => {
    expect([bytesText(2 ** 30), bytesText(1_536), bytesText(280), bytesText(0)]).toEqual([
      '1 GiB',
      '1536 B',
      '280 B',
      '0 B',
    ]);
    expect([durationText(2_000), durationText(1_500), durationText(7_200_000)]).toEqual(['2 s', '1500 ms', '2 h']);
  });
});
