import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { skippedTest, type Test } from '@libs/testing';
import { readGolden } from '../sources/openapi-document.js';

/** A text for each pattern. */
const VALID = [
  ...[
    'Café 1',
    'a'.repeat(64),
    'bucket_1',
    '123456789012',
    'eu-central-1',
    'my-project',
    '12.50',
    '2026-11',
    'v1.2-rc.1',
  ],
  ...[
    'arn:aws:iam::123456789012:role/reader',
    'arn:aws:iam::123456789012:root',
    'vpc-0123456789abcdef0',
    '0'.repeat(32),
  ],
  ...['b'.repeat(43), 'http://127.0.0.1:8080/callback', 'reader@my-project.iam.gserviceaccount.com'],
];
/** Characters that `\d`, `\w`, `\s`, `.` and cases of letters take differently in the three languages. */
const ODD = [
  '٣',
  'é',
  'ſ',
  '\u212a',
  'ı',
  '_',
  ' ',
  '\u00a0',
  '\u001c',
  '\u0085',
  '\u2028',
  '\ufeff',
  '\u200b',
  '😀',
  '\r',
];
const TEXTS = VALID.flatMap((text) => [
  text,
  ...ODD.flatMap((odd) => [`${text.slice(0, -1)}${odd}`, `${odd}${text.slice(1)}`, odd]),
]);

const patternsIn = (value: unknown): string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, member]: [string, unknown]) =>
        key === 'pattern' && typeof member === 'string' ? [member] : patternsIn(member),
      )
    : [];

const PATTERNS = [...new Set(['main-api', 'supervisor'].flatMap((app) => patternsIn(readGolden(app))))];

/** For each pattern the texts that it matches, or why it does not compile. */
type Matches = (string[] | string)[];

const IN_ECMASCRIPT: Matches = PATTERNS.map((pattern) => {
  const compiled = new RegExp(pattern, 'u');
  return TEXTS.filter((text) => compiled.test(text));
});

function matchesIn(program: string, ...args: string[]): Matches {
  const input = JSON.stringify({ patterns: PATTERNS, texts: TEXTS });
  const { status, stdout, stderr } = spawnSync(program, args, { input, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
  return JSON.parse(stdout) as Matches;
}

const withProgram = (program: string, args: string[], remedy: string): Test =>
  spawnSync(program, args).status === 0
    ? (title, test) => void it(title, test)
    : skippedTest(`${program} is not on the PATH`, remedy);
const withGo = withProgram('go', ['version'], 'Install Go, as for the Terraform provider');
const withPython = withProgram('python3', ['--version'], 'Install Python, for example the Debian package python3');

/** Validators and generated clients in Go and Python refuse a document with a pattern that they cannot compile. */
describe('Every published pattern', () => {
  it('matches one of the texts, so that the languages have something to differ about', () => {
    expect(PATTERNS.length).toBeGreaterThanOrEqual(20);
    expect(PATTERNS.filter((_, index) => IN_ECMASCRIPT[index]?.length === 0)).toEqual([]);
  });

  it('has none of what a language lacks: looking around, classes of Unicode, references to a group', () => {
    const UNPORTABLE = /\(\?[=!<]|\\[pPkux]|\\[1-9]|\\[dDwWsSbB]|\(\?[:a-z]|[*+?}]\+/;

    expect(['(?=a)', '(?<=a)', '\\p{L}', '(a)\\1', '\\k<a>', '\\d'].filter((one) => !UNPORTABLE.test(one))).toEqual([]);
    expect(PATTERNS.filter((pattern) => UNPORTABLE.test(pattern.replaceAll(/\\x[0-9a-f]{2}/g, '')))).toEqual([]);
  });

  it('matches the same texts in ECMAScript with and without the flag u', () => {
    const withoutFlag = PATTERNS.map((pattern) => TEXTS.filter((text) => new RegExp(pattern).test(text)));

    expect(withoutFlag).toEqual(IN_ECMASCRIPT);
  });

  withGo('matches the same texts in RE2 as in ECMAScript', async () => {
    expect(matchesIn('go', 'run', join(import.meta.dirname, 'matches.go'))).toEqual(IN_ECMASCRIPT);
  });

  withPython('matches the same texts in Python as in ECMAScript', async () => {
    expect(matchesIn('python3', join(import.meta.dirname, 'matches.py'))).toEqual(IN_ECMASCRIPT);
  });
});
