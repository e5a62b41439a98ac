// The necessary part of a Dockerfile: stages, WORKDIR, COPY, RUN, ENV. Steps that need an image are logged and skipped.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';

/** Commands that create users and directories or install system packages: not needed outside of an image. */
const NEEDS_AN_IMAGE = /\b(useradd|groupadd|apt-get|apk|install -d)\b/;

export class StepFailed extends Error {
  name = 'StepFailed';
}

/** The instructions of a Dockerfile: { word, rest }. */
export function parseDockerfile(text) {
  return text
    .replaceAll(/^\s*#.*$/gm, '')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim())
    .map((line) => ({ word: line.trim().split(/\s+/)[0].toUpperCase(), rest: line.trim().replace(/^\S+\s+/, '') }));
}

/** Replays `file` with the context `root`, each stage under `place`. Returns the root and WORKDIR of the last stage. */
export function replay({ file, root, place, log }) {
  const isIgnored = ignoring(`${file}.dockerignore`);
  const stages = {};
  let stage;
  const steps = {
    FROM: (rest) => {
      const name = / AS (\S+)/i.exec(rest)?.[1] ?? 'last';
      stage = { root: join(place, name), cwd: join(place, name), env: {} };
      mkdirSync(stage.root, { recursive: true });
      stages[name] = stage;
    },
    WORKDIR: (rest) => {
      stage.cwd = join(stage.root, rest);
      mkdirSync(stage.cwd, { recursive: true });
    },
    ENV: (rest) => {
      for (const [, name, value] of rest.matchAll(/(\w+)=(\S+)/g)) stage.env[name] = value;
    },
    COPY: (rest) => copy(rest, { stage, stages, root, isIgnored }),
    RUN: (rest) => run(rest, { stage, log }),
  };
  for (const { word, rest } of parseDockerfile(readFileSync(file, 'utf8'))) {
    if (word in steps) log(`${word} ${rest}`);
    steps[word]?.(rest);
  }
  return stage;
}

function copy(rest, { stage, stages, root, isIgnored }) {
  const from = /--from=(\S+)\s+/.exec(rest);
  const words = rest.replace(/--\w+=\S+\s+/g, '').split(/\s+/);
  const target = words.pop();
  const base = from ? stages[from[1]].root : root;
  const into = target.startsWith('/') ? join(stage.root, target) : resolve(stage.cwd, target);
  for (const source of words) {
    const origin = join(base, source);
    // Like Docker: copies the contents of a directory, but a file under its name if the target is a directory.
    const isDirectory = statSync(origin).isDirectory();
    const destination = !isDirectory && /\/$/.test(target) ? join(into, basename(source)) : into;
    const filter = from ? undefined : (path) => !isIgnored(relative(root, path));
    cpSync(origin, destination, { recursive: true, filter, verbatimSymlinks: true });
  }
}

function run(command, { stage, log }) {
  if (NEEDS_AN_IMAGE.test(command)) return log('    (left out: needs an image)');
  const env = { ...process.env, ...stage.env };
  const { status } = spawnSync('sh', ['-c', command], { cwd: stage.cwd, env, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) throw new StepFailed(`RUN ${command} ended with ${status}`);
}

/** Patterns of a .dockerignore as this repository uses them: `*`, `!path`, `path`, `**` before a name. */
function ignoring(file) {
  const rules = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => ({ keeps: line.startsWith('!'), pattern: expression(line.replace(/^!/, '')) }));
  // The last matching rule decides.
  return (path) => rules.reduce((ignored, { keeps, pattern }) => (pattern.test(path) ? !keeps : ignored), false);
}

function expression(glob) {
  const body = glob
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('**/', '\0')
    .replaceAll('*', '[^/]*')
    .replaceAll('\0', '(.*/)?');
  return new RegExp(`^${body}(/.*)?$`);
}
