// npm run house [commit]: the lines of the repository by class of file. With a commit, the lines at that commit too, and the
// difference.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CLASSES } from './classes.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
const LONGEST_FILE = 250;
const CODE = /\.(ts|tsx|mjs|cjs)$/;

function git(...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: ROOT, maxBuffer: 2 ** 30 });
  if (status !== 0) throw new Error(stderr.toString());
  return stdout;
}

const classOf = (path) => CLASSES.find(([, pattern]) => pattern.test(path))[0];
const lineCount = (content) => content.reduce((count, byte) => count + (byte === 10 ? 1 : 0), 0);

/** The files of the working tree, or of a commit. */
function files(commit) {
  if (commit === undefined)
    return git('ls-files', '-z')
      .toString()
      .split('\0')
      .filter(Boolean)
      .map((path) => ({ path, lines: lineCount(readFileSync(join(ROOT, path))) }));
  // `numstat` against the empty tree counts the lines of each file. A file that is not text has `-`.
  const emptyTree = git('hash-object', '-t', 'tree', '/dev/null').toString().trim();
  return git('diff', '--numstat', '-z', '--no-renames', emptyTree, commit)
    .toString()
    .split('\0')
    .filter(Boolean)
    .map((entry) => entry.split('\t'))
    .map(([added, , path]) => ({ path, lines: added === '-' ? 0 : Number(added) }));
}

function measure(commit) {
  const sums = new Map(CLASSES.map(([name]) => [name, { files: 0, lines: 0 }]));
  const all = files(commit);
  for (const { path, lines } of all) {
    const sum = sums.get(classOf(path));
    sum.files += 1;
    sum.lines += lines;
  }
  const code = all.filter(({ path }) => CODE.test(path) && ['source', 'scripts'].includes(classOf(path)));
  return { sums, tooLong: code.filter(({ lines }) => lines > LONGEST_FILE) };
}

const [, , base] = process.argv;
const now = measure();
const before = base === undefined ? null : measure(base);
const columns = (cells) => cells.map((cell, index) => String(cell)[index === 0 ? 'padEnd' : 'padStart'](12)).join('');
const signed = (number) => (number > 0 ? `+${number}` : String(number));

console.log(columns(['class', 'files', 'lines', ...(before === null ? [] : [`at ${base.slice(0, 8)}`, 'difference'])]));
const total = { lines: 0, files: 0, before: 0 };
for (const [name, { files: count, lines }] of now.sums) {
  const earlier = before?.sums.get(name).lines ?? 0;
  total.files += count;
  total.lines += lines;
  total.before += earlier;
  console.log(columns([name, count, lines, ...(before === null ? [] : [earlier, signed(lines - earlier)])]));
}
const sums = before === null ? [] : [total.before, signed(total.lines - total.before)];
console.log(columns(['together', total.files, total.lines, ...sums]));
console.log(`\n${now.tooLong.length} files of source and scripts have more than ${LONGEST_FILE} lines`);
for (const { path, lines } of now.tooLong) console.log(`  ${lines}  ${path}`);
