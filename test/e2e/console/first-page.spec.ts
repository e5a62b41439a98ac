import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const BUILT = join(import.meta.dirname, '../../../dist/console');
const MOST_KB = 250;

interface Chunk {
  file: string;
  isEntry?: boolean;
  isDynamicEntry?: boolean;
  imports?: string[];
  css?: string[];
}
const MANIFEST = JSON.parse(readFileSync(join(BUILT, 'manifest.json'), 'utf8')) as Record<string, Chunk>;

/** All files that a browser loads before the chunk runs. */
function filesOf(name: string, seen = new Set<string>()): Set<string> {
  const chunk = MANIFEST[name];
  if (!chunk || seen.has(chunk.file)) return seen;
  for (const file of [chunk.file, ...(chunk.css ?? [])]) seen.add(file);
  for (const imported of chunk.imports ?? []) filesOf(imported, seen);
  return seen;
}

const sizeOf = (files: Iterable<string>): number =>
  [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(BUILT, file)), { level: 9 }).length, 0);

describe('The first page of the console', () => {
  const entries = Object.entries(MANIFEST).filter(([, { isEntry }]) => isEntry);
  const screens = Object.entries(MANIFEST).filter(([, { isDynamicEntry }]) => isDynamicEntry);

  it.each(screens.map(([name]) => name))(`with %s has at most ${MOST_KB} KB, compressed`, (screen) => {
    const [[entry = ''] = []] = entries;
    const files = filesOf(screen, filesOf(entry));

    expect(sizeOf(files)).toBeGreaterThan(20_000);
    expect(sizeOf(files)).toBeLessThanOrEqual(MOST_KB * 1024);
  });

  it('has no inline script and no inline style, so that its policy needs no exception', () => {
    const html = readFileSync(join(BUILT, 'index.html'), 'utf8');

    expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|javascript:/i);
    for (const [script] of html.matchAll(/<script[^>]*>[^<]*<\/script>/g))
      expect(script).toMatch(/ src="\/console\/[^"]+"[^>]*><\/script>$/);
  });

  it('has every file compressed beside it', () => {
    const files = screens.flatMap(([name]) => [...filesOf(name)]);

    for (const file of files)
      for (const ending of ['br', 'gz'])
        expect([file, existsSync(join(BUILT, `${file}.${ending}`))]).toEqual([file, true]);
  });
});
