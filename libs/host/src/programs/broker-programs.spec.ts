import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { START_CAUSES, StartRefused, startText, type StartCauseName, type StartFacts } from '@libs/domain/starts';
import { setVariables } from '@libs/testing/basics';
import { requireBrokerPrograms, type BrokerProgramSettings } from './broker-programs.js';

/** What the loader of Linux prints, and its exit code. */
const NOT_LOADED = `echo "$0: error while loading shared libraries: libhwloc.so.15: cannot open shared object file" >&2; exit 127`;

describe('requireBrokerPrograms', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'landlord-programs-'));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  const require = (settings: Partial<BrokerProgramSettings> = {}) =>
    requireBrokerPrograms({
      ...{ LOCAL_BROKER: 'auto', IGGY_UNPROVEN_RELEASES: false, LANDLORD_DATA_DIR: dir, searchPath: join(dir, 'bin') },
      ...settings,
    });

  /** A shell script in the search path. */
  async function aProgram(name: string, script: string, mode = 0o755): Promise<string> {
    const file = join(dir, 'bin', name);
    await mkdir(join(dir, 'bin'), { recursive: true });
    await writeFile(file, `#!/bin/sh\n${script}\n`);
    await chmod(file, mode);
    return file;
  }

  async function expectRefusal<Cause extends StartCauseName>(
    settings: Partial<BrokerProgramSettings>,
    cause: Cause,
    facts: StartFacts<Cause>,
  ): Promise<void> {
    const refusal = await require(settings).then(
      () => null,
      (error: unknown) => error,
    );
    expect(refusal).toBeInstanceOf(StartRefused);
    expect(refusal).toMatchObject({ message: startText(cause, facts), exitCode: START_CAUSES[cause].exit });
  }

  it('finds nothing on a bare machine', async () => {
    expect(await require()).toEqual({ nats: null, iggy: null });
  });

  it.each([
    { driver: 'nats', program: 'nats-server', variable: 'NATS_SERVER_BIN', command: 'npm run broker:nats' },
    { driver: 'iggy', program: 'iggy-server', variable: 'IGGY_SERVER_BIN', command: 'npm run broker:iggy' },
  ] as const)('says how to get $program when LOCAL_BROKER asks for $driver', async (facts) => {
    await expectRefusal({ LOCAL_BROKER: facts.driver }, 'broker_program_missing', facts);
  });

  it.each(['NATS_SERVER_BIN', 'IGGY_SERVER_BIN', 'IGGY_CONNECTORS_BIN'] as const)(
    'says why the file of %s cannot be used',
    async (variable) => {
      const path = join(dir, 'bin/nothing');
      await expectRefusal({ [variable]: path }, 'broker_program_unusable', {
        variable,
        path,
        reason: 'does not exist',
      });

      await aProgram('nothing', 'echo', 0o644);
      const reason = 'is not executable for the user of Landlord';
      await expectRefusal({ [variable]: path }, 'broker_program_unusable', { variable, path, reason });
    },
  );

  it.each([
    ['says something else', 'echo hello', 'it says "hello"'],
    ['fails', 'exit 3', 'it ends with exit code 3'],
    ['is the server of another broker', 'echo "nats-server: v2.9.10"', 'it says "nats-server: v2.9.10"'],
  ])('refuses an iggy-server that %s', async (_, script, reason) => {
    const path = await aProgram('iggy-server', script);

    await expectRefusal({}, 'broker_program_foreign', { path, program: 'iggy-server', reason });
  });

  it('refuses a file that this machine cannot run', async () => {
    const path = await aProgram('nats-server', '');
    await writeFile(path, '#!/nowhere/sh');

    const reason = 'it cannot be run (ENOENT)';
    await expectRefusal({}, 'broker_program_foreign', { path, program: 'nats-server', reason });
  });

  it('names the library that is missing, and finds it in the data directory afterwards', async () => {
    const path = await aProgram('iggy-server', `[ "$LD_LIBRARY_PATH" ] || { ${NOT_LOADED}; }\necho server 0.8.3`);
    await expectRefusal({}, 'broker_library_missing', { path, library: 'libhwloc.so.15' });

    const libraries = join(dir, 'packages/libhwloc15/usr/lib/aarch64-linux-gnu');
    await mkdir(libraries, { recursive: true });
    expect((await require()).iggy).toEqual({ path, release: '0.8.3', connectors: null, libraries });
  });

  it('does not count an LD_LIBRARY_PATH of this process, which no agent gets', async () => {
    const path = await aProgram('iggy-server', `[ "$LD_LIBRARY_PATH" ] || { ${NOT_LOADED}; }\necho server 0.8.0`);
    setVariables({ LD_LIBRARY_PATH: '/somewhere' });
    try {
      await expectRefusal({}, 'broker_library_missing', { path, library: 'libhwloc.so.15' });
    } finally {
      jest.restoreAllMocks();
    }
  });

  it.each(['0.7.9', '0.9.0', '0.8.1-edge.2', '0.9.0-edge.5', '0.80.0'])(
    'refuses iggy-server %s, unless unproven releases are allowed',
    async (release) => {
      const path = await aProgram('iggy-server', `echo server ${release}`);

      await expectRefusal({}, 'broker_release_unproven', { path, release, line: '0.8' });
      expect((await require({ IGGY_UNPROVEN_RELEASES: true })).iggy).toMatchObject({ path, release });
    },
  );

  it('checks a program that no new deployment uses only if a setting names it', async () => {
    const path = await aProgram('iggy-server', 'echo server 0.9.0');

    expect((await require({ LOCAL_BROKER: 'embedded' })).iggy).toMatchObject({ path, release: null });
    const facts = { path, release: '0.9.0', line: '0.8' };
    await expectRefusal({ LOCAL_BROKER: 'embedded', IGGY_SERVER_BIN: path }, 'broker_release_unproven', facts);
  });

  it('finds the connectors beside the server, and checks those that a setting names', async () => {
    await aProgram('iggy-server', 'echo server 0.8.0');
    const connectors = await aProgram('iggy-connectors', 'echo hello');
    expect((await require()).iggy).toMatchObject({ connectors });

    const facts = { path: connectors, program: 'iggy-connectors', reason: 'it says "hello"' };
    await expectRefusal({ IGGY_CONNECTORS_BIN: connectors }, 'broker_program_foreign', facts);
  });
});
