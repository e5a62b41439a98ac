import { jest } from '@jest/globals';
import { createProgram } from '../program.js';
import { complete } from './complete.js';

describe('A word with an option and its value', () => {
  afterEach(() => jest.restoreAllMocks());

  async function completed(...words: string[]): Promise<string[]> {
    let printed = '';
    jest.spyOn(process.stdout, 'write').mockImplementation((text) => ((printed += String(text)), true));
    await complete(words, (before) => createProgram(before));
    jest.restoreAllMocks();
    return printed.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t')[0] ?? '']));
  }

  it('is completed as a whole word, and in the part that bash splits it into', async () => {
    const words = ['deployments', 'create-starter'];

    expect(await completed('fish', ...words, '--cloud=')).toEqual(['--cloud=aws', '--cloud=gcp']);
    expect(await completed('zsh', ...words, '--cloud=g')).toEqual(['--cloud=gcp:']);
    expect(await completed('bash', ...words, '--cloud', '=')).toEqual(['aws', 'gcp']);
    expect(await completed('bash', ...words, '--cloud', '=', 'g')).toEqual(['gcp']);
    expect(await completed('bash', ...words, '--cloud', '=', 'gcp', '-o', 'y')).toEqual(['yaml']);
    expect(await completed('bash', ...words, '--cloud', 'g')).toEqual(['gcp']);
    expect(await completed('fish', ...words, '--no-such=')).toEqual([]);
  });
});
