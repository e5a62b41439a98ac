import { parse } from 'yaml';
import { jsonOf } from './output.js';
import { yamlOf } from './yaml.js';

const CONTROL = /[\u007F-\u009F]/;
/** Characters that some terminals take for commands: U+009B begins one, U+0090 begins a text for the terminal. */
const VALUE = {
  name: 'a\u009B2Jb',
  list: ['\u0080\u0090\u009F', '\u007F', 'x '.repeat(100) + '\u0085'],
  'k\u009Bey': 'é',
};

describe('An answer with control characters', () => {
  it('has them as escapes in JSON and in YAML, and stays the same value', () => {
    const [json, yaml] = [jsonOf(VALUE, 2), yamlOf(VALUE)];

    expect(json).not.toMatch(CONTROL);
    expect(yaml).not.toMatch(CONTROL);
    expect(JSON.parse(json)).toEqual(VALUE);
    expect(parse(yaml)).toEqual(VALUE);
    expect([json, yaml]).toEqual([expect.stringContaining('é'), expect.stringContaining('\\x9b2Jb')]);
  });

  it('has characters that turn the direction or are invisible as escapes in JSON', () => {
    const value = { 'na\u202Eme': ['\u202E\u2066', '\u200B', '\uFEFF', '\u00AD', '\u{E0001}', '\u{1D173}'] };

    const json = jsonOf(value);

    expect(json).not.toMatch(/\p{Cf}/u);
    expect(json).toContain('na\\u202eme');
    expect(JSON.parse(json)).toEqual(value);
  });
});
