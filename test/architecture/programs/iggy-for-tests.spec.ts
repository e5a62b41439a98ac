import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../sources/sources.js';

describe('scripts/iggy-for-tests.mjs', () => {
  let here: string;
  beforeEach(() => {
    here = mkdtempSync(join(tmpdir(), "landlord-it's-"));
    // The library lies already in the data directory, so that nothing is downloaded.
    const library = join(here, 'packages/libhwloc15');
    mkdirSync(join(library, 'usr/lib/here'), { recursive: true });
    writeFileSync(join(library, 'package.json'), '{"package": "libhwloc15", "version": "1"}');
    writeFileSync(join(library, 'usr/lib/here/libhwloc.so.15'), '');
  });
  afterEach(() => rmSync(here, { recursive: true, force: true }));

  function aProgram(name: string, script: string): string {
    const file = join(here, name);
    writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return file;
  }

  /** What a shell knows after the lines of the script. */
  function find(server: string) {
    const script = `eval "$(${process.execPath} scripts/iggy-for-tests.mjs)"; echo "$IGGY_SERVER_BIN|$IGGY_CONNECTORS_BIN"`;
    const env = { PATH: '/usr/bin:/bin', LANDLORD_DATA_DIR: here, IGGY_SERVER_BIN: server };
    const { stdout, stderr } = spawnSync('/bin/sh', ['-c', script], { cwd: ROOT, env, encoding: 'utf8' });
    return { found: stdout.trim(), stderr };
  }

  it('names a server that runs with the unpacked library, and its connectors', () => {
    const server = aProgram('iggy-server', `[ -e "$LD_LIBRARY_PATH/libhwloc.so.15" ] && echo server 0.8.0`);
    expect(find(server)).toEqual({ found: `${server}|`, stderr: '' });

    const connectors = aProgram('iggy-connectors', 'echo');
    expect(find(server)).toEqual({ found: `${server}|${connectors}`, stderr: '' });
  });

  it('says why tests are skipped, and takes the setting away', () => {
    const server = aProgram('iggy-server', 'echo "no library" >&2; exit 127');

    const stderr = `The tests of Apache Iggy are skipped: ${server} does not run: no library.\n`;
    expect(find(server)).toEqual({ found: '|', stderr });
  });
});
