import { spawnSync } from 'node:child_process';

const LONGEST = 200;

/** The difference between `file` and `text`, in the format of `diff -u`. */
export function differences(file, text) {
  const { error, stdout } = spawnSync('diff', ['-uN', file, '-'], {
    input: text,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (error) return '  (install diff to see where)';
  const lines = stdout.split('\n').slice(2);
  const rest = lines.length > LONGEST ? [`… and ${lines.length - LONGEST} lines more`] : [];
  return [...lines.slice(0, LONGEST), ...rest].join('\n');
}
