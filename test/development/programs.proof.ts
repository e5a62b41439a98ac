import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../architecture/sources/sources.js';

const COUNTER = pathToFileURL(join(ROOT, 'test/bench/start/count-modules.mjs')).href;
/** The bundle, the settings of both apps, the counter, and packages that find a part for this machine. */
const MOST_FILES = 10;

describe('a built program', () => {
  // A second copy of a package would also be a second file.
  it.each(['apps/main-api/src/main.js', 'apps/supervisor/src/main.js', 'libs/launcher/src/main.js'])(
    'loads %s and almost no other file',
    (program) => {
      const { loaded, output } = run(program);

      expect(output).toMatch(/The settings are invalid|Usage:/);
      expect(loaded).toBeGreaterThan(0);
      expect(loaded).toBeLessThanOrEqual(MOST_FILES);
    },
  );

  it('loads almost no other file when the launcher reads the settings of both apps', () => {
    const { loaded, output } = run('libs/launcher/src/main.js', 'start', {
      MAIN_API_PORT: 'none',
      GATEWAY_PORT: 'none',
    });

    expect(output).toMatch(/The settings are invalid.*GATEWAY_PORT.*MAIN_API_PORT/s);
    expect(loaded).toBeGreaterThan(2);
    expect(loaded).toBeLessThanOrEqual(MOST_FILES);
  });
});

/** The program loads all its modules, and ends because its settings are missing or after its help. */
function run(program: string, word = '--help', settings = {}): { loaded: number; output: string } {
  const folder = mkdtempSync(join(tmpdir(), 'landlord-modules-'));
  try {
    const { stdout, stderr } = spawnSync(process.execPath, ['--import', COUNTER, join(ROOT, 'dist', program), word], {
      env: { ...settings, PATH: process.env['PATH'], COUNT_MODULES_IN: folder },
      encoding: 'utf8',
    });
    const [report = ''] = readdirSync(folder);
    const { modules } = JSON.parse(readFileSync(join(folder, report), 'utf8')) as { modules: number };
    return { loaded: modules, output: stdout + stderr };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
