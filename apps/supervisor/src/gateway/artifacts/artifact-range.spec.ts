import { rangeOf } from './artifact-range.js';

describe('rangeOf', () => {
  it.each([
    ['bytes=0-0', { first: 0, last: 0 }],
    ['bytes=3-5', { first: 3, last: 5 }],
    ['bytes=3-', { first: 3, last: 9 }],
    ['bytes=9-', { first: 9, last: 9 }],
    ['bytes=3-999', { first: 3, last: 9 }],
    ['bytes=-4', { first: 6, last: 9 }],
    ['bytes=-999', { first: 0, last: 9 }],
    ['bytes=10-', 'unsatisfiable'],
    ['bytes=10-12', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=5-3', null],
    ['bytes=-', null],
    ['bytes=0-1,4-5', null],
    ['bytes=1.5-3', null],
    ['bytes=0x1-3', null],
    ['bytes=99999999999999999999-', null],
    ['lines=0-1', null],
    ['', null],
    [undefined, null],
  ])('%s of 10 bytes', (header, expected) => {
    expect(rangeOf(header, 10)).toEqual(expected);
  });
});
