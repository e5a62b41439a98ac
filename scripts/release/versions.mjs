// Where the version of the release stands. package.json is the source. What can import it from there does, and each copy has a form of this list.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../build-stamp.mjs';

export const VERSION = /\d+\.\d+\.\d+(?:-(?:alpha|beta|rc)\.\d+)?/;
const LOCK = 'package-lock.json';
/** Texts for people and files of deployments. Decisions and the changelog are about the releases of their time. */
const TEXTS = /^(?:README\.md|docker\/.*|charts\/.*|docs\/(?!decisions\/).*\.md|packages\/[^/]+\/README\.md)$/;

/** The files, what stands before a version there, and what follows. */
const FORMS = [
  { files: /^(?:packages\/[^/]+\/)?package\.json$/, before: /^ {2}"version": "/, after: /"/ },
  { files: /^packages\/[^/]+\/package\.json$/, before: /"@landlord\/\w+": "/, after: /"/ },
  {
    files: /^(?:libs\/domain\/src\/starts|packages\/cli\/src\/settings)\/release\.ts$/,
    before: /RELEASE = '/,
    after: /'/,
  },
  { files: /^charts\/landlord\/Chart\.yaml$/, before: /^(?:version|appVersion): /, after: /$/ },
  // The names of an image and of the files of a release.
  { files: TEXTS, before: /\blandlord(?:-server|-cli)?[:-]/, after: /(?!\d)/ },
  { files: TEXTS, before: /\brelease\//, after: /(?=\/)/ },
  { files: TEXTS, before: /\bLandlord /, after: /(?!\d)/ },
  { files: TEXTS, before: /^`/, after: /`\. Other callers do not learn the release/ },
];

/** Every copy in the files that git has: the path, the number of the line, and the version there. */
export function copies() {
  const inTexts = tracked().flatMap((path) =>
    formsOf(path).flatMap((form) =>
      linesOf(path).flatMap((line, index) =>
        [...line.matchAll(form)].map(({ groups }) => ({ path, line: index + 1, version: groups.version })),
      ),
    ),
  );
  return [...inTexts, ...copiesOfLock().map(({ version, of }) => ({ path: `${LOCK} (${of})`, line: null, version }))];
}

/** Every line that contains this version, copy or not: the path and the number of the line. The lockfile has versions of many packages. */
export function occurrences(version) {
  const pattern = new RegExp(`(?<![\\w.])${version.replaceAll('.', '\\.')}(?![\\w.]*\\d|/\\d)`);
  return tracked()
    .filter((path) => path !== LOCK && path !== 'CHANGELOG.md' && !path.startsWith('docs/decisions/'))
    .flatMap((path) => linesOf(path).flatMap((line, index) => (pattern.test(line) ? [{ path, line: index + 1 }] : [])));
}

/** Writes the version into every copy. Returns the paths of the files that have changed. */
export function setVersion(version) {
  const changed = tracked().filter((path) => {
    const before = formsOf(path).length > 0 && textOf(path);
    const after = before && formsOf(path).reduce((text, form) => withVersion(text, form, version), before);
    if (before === after) return false;
    writeFileSync(join(ROOT, path), after);
    return true;
  });
  const lock = JSON.parse(textOf(LOCK));
  for (const one of copiesOfLock(lock)) one.write(version);
  writeFileSync(join(ROOT, LOCK), `${JSON.stringify(lock, null, 2)}\n`);
  return [...changed, LOCK];
}

const withVersion = (text, form, version) =>
  text
    .split('\n')
    .map((line) => line.replace(form, (...args) => `${args.at(-1).before}${version}${args.at(-1).after}`))
    .join('\n');

const formsOf = (path) =>
  FORMS.filter(({ files }) => files.test(path)).map(
    ({ before, after }) =>
      new RegExp(`(?<before>${before.source})(?<version>${VERSION.source})(?<after>${after.source})`, 'g'),
  );

/** The packages of this repository, and what they say of each other. */
function copiesOfLock(lock = JSON.parse(textOf(LOCK))) {
  const own = Object.entries(lock.packages).filter(([path]) => path === '' || path.startsWith('packages/'));
  return [
    copyIn(lock, 'version', 'root'),
    ...own.flatMap(([path, one]) => [
      copyIn(one, 'version', path),
      ...[one.dependencies ?? {}, one.devDependencies ?? {}].flatMap((dependencies) =>
        Object.keys(dependencies)
          .filter((name) => name.startsWith('@landlord/'))
          .map((name) => copyIn(dependencies, name, `${path} needs ${name}`)),
      ),
    ]),
  ];
}

const copyIn = (object, key, of) => ({ of, version: object[key], write: (version) => (object[key] = version) });

const tracked = () =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' })
    .split('\n')
    .filter((path) => path !== '' && existsSync(join(ROOT, path)));
const textOf = (path) => readFileSync(join(ROOT, path), 'utf8');
const linesOf = (path) => textOf(path).split('\n');
