import { LauncherError } from '../launcher-error.js';
import { mergeKeys } from './merge-keys.js';

describe('The keys after a restore', () => {
  it.each([
    ['k1:AAA=', 'k1:AAA=', 'k1:AAA='],
    ['k2:BBB=,k1:AAA=', 'k1:AAA=', 'k2:BBB=,k1:AAA='],
    ['k2:BBB=', 'k1:AAA=,k2:BBB=\n', 'k2:BBB=,k1:AAA='],
  ])('are %j and the missing keys of the backup, %j', (current, restored, merged) => {
    expect(mergeKeys(current, restored)).toBe(merged);
  });

  it('are refused when one id has two keys', () => {
    expect(() => mergeKeys('k1:AAA=', 'k1:BBB=')).toThrow(LauncherError);
  });
});
