// The old words of each source file, which may only become fewer. Locals that are participles or pronouns, and words that
// docs/language.md replaces. `--write` records the counts of today.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';

const ROOT = resolve(import.meta.dirname, '../..');
const RECORD = join(import.meta.dirname, 'old-words.txt');
/** Names of locals that say what happened to a thing instead of what it is. */
const PARTICIPLES = new Set(
  'found known shown own wanted asked seen kept said told given taken held left got made brought came went sent put done'.split(
    ' ',
  ),
);
/** Words in names and comments, also as a part of a name in camel case. */
const REPLACED =
  /(?<![a-z])(?:[Jj]udge[sd]?|[Ss]trangers?|[Ww]hoever|[Nn]obody|[Ll]anes?|[Dd]oors?|[Gg]oes on)(?![a-z])/g;

const sources = () =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'apps', 'libs', 'packages', 'test'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((path) => /\.tsx?$/.test(path) && !path.includes('/generated/') && !path.includes('/migrations/'));

function localsIn(path, text) {
  if (
    !/\b(?:found|known|shown|own|wanted|asked|seen|kept|said|told|given|taken|held|left|got|made|brought|came|went|sent|put|done)\b/.test(
      text,
    )
  )
    return 0;
  const source = ts.createSourceFile(
    path,
    text,
    ts.ScriptTarget.Latest,
    false,
    path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  );
  let count = 0;
  const visit = (node) => {
    const isLocal = ts.isVariableDeclaration(node) || ts.isParameter(node) || ts.isBindingElement(node);
    if (isLocal && ts.isIdentifier(node.name) && PARTICIPLES.has(node.name.text)) count += 1;
    ts.forEachChild(node, visit);
  };
  visit(source);
  return count;
}

/** The count of each file that has old words. */
export function oldWords() {
  const counts = new Map();
  for (const path of sources()) {
    let text;
    try {
      text = readFileSync(join(ROOT, path), 'utf8');
    } catch {
      continue; // Deleted and not committed yet.
    }
    const count = localsIn(path, text) + (text.match(REPLACED)?.length ?? 0);
    if (count > 0) counts.set(path, count);
  }
  return counts;
}

const recorded = () =>
  new Map(
    readFileSync(RECORD, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split(' '))
      .map(([count, path]) => [path, Number(count)]),
  );

const total = (counts) => [...counts.values()].reduce((sum, count) => sum + count, 0);

/** The files with more old words than recorded, as sentences. */
export function moreOldWords() {
  const before = recorded();
  return [...oldWords()]
    .filter(([path, count]) => count > (before.get(path) ?? 0))
    .map(
      ([path, count]) =>
        `${path} has ${count} old words, and had ${before.get(path) ?? 0}. docs/language.md has better ones.`,
    );
}

if (process.argv[1] === import.meta.filename) {
  const counts = oldWords();
  const sum = total(counts);
  if (process.argv.includes('--write')) {
    // A file may move, but nothing may become more.
    if (sum > total(recorded()))
      throw new RangeError(`${sum} old words are more than the ${total(recorded())} recorded`);
    writeFileSync(
      RECORD,
      [...counts]
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([path, count]) => `${count} ${path}\n`)
        .join(''),
    );
  }
  console.log(`${sum} old words in ${counts.size} files`);
}
