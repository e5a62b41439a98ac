import { execFileSync } from 'node:child_process';
import { clientLine } from './client-line.js';

const HOSTILE = [
  ...[
    '-oProxyCommand=touch x',
    '$(touch x)',
    '`touch x`',
    "'; touch x; '",
    '"; touch x; "',
    '; touch x',
    '& touch x',
    '| touch x',
  ],
  ...[
    'a b',
    "it's",
    '\\',
    "\\'",
    '*',
    '~',
    '#',
    '!x',
    '$HOME',
    '> x',
    '',
    '\n touch x',
    "$'\\x'",
    '{a,b}',
    '\u202Ex',
    'é',
  ],
];

/** The words that a shell makes of the line. */
const wordsOf = (line: string): string[] =>
  execFileSync('sh', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);

describe('The line for a client', () => {
  it.each(HOSTILE.map((text) => [text]))('has the text %j of a server as one word of the shell', (text) => {
    const login = { host: text, port: text, username: text, password: text };

    const words = wordsOf(clientLine(login));

    expect(words).toEqual(['mosquitto_sub', '-h', text, '-p', text, '-u', text, '-P', text, '-t', '#', '-v']);
  });
});
