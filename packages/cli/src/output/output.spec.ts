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
});
