import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { START_CAUSES, startText, type StartCauseName, type StartFacts } from '@libs/domain/starts';
import { describeWithIggy, IGGY_SERVER } from '@libs/testing';
import { StartBench } from './failed-start.fixture.js';
import { runLandlord } from './run-landlord.js';

const KEYS = `k1:${Buffer.alloc(32, 1).toString('base64')}`;
/** Where a start ends that has passed all checks before the database. */
const AWAY = { DATABASE_URL: 'postgres://u:p@127.0.0.1:1/landlord', LANDLORD_SECRET_KEYS: KEYS, PATH: '' };

/** What the loader of Linux prints, and its exit code. */
const NOT_LOADED = `echo "error while loading shared libraries: libhwloc.so.15: cannot open shared object file" >&2; exit 127`;

describe('A start with programs of brokers that cannot be used', () => {
  let bench: StartBench;
  beforeEach(async () => {
    bench = await StartBench.open();
  });
  afterEach(() => bench.close());

  /** A shell script outside of the data directory. */
  function aProgram(script: string): string {
    const path = join(bench.home, 'bin', 'program');
    mkdirSync(join(bench.home, 'bin'), { recursive: true });
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
    return path;
  }

  /** The launcher refuses before it begins any work, the Supervisor with the same message, and the doctor finds it. */
  async function expectRefusal<Cause extends StartCauseName>(
    settings: Record<string, string>,
    cause: Cause,
    facts: StartFacts<Cause>,
  ): Promise<void> {
    const refusal = { code: START_CAUSES[cause].exit, said: `${startText(cause, facts)}\n` };
    expect(await bench.fails('landlord', { ...AWAY, ...settings })).toEqual(refusal);
    expect(bench.files()).toEqual([]);
    expect(await bench.fails('supervisor', { ...AWAY, ...settings })).toEqual(refusal);
    const { output } = await runLandlord({ ...bench.settings, ...AWAY, ...settings }, 'doctor');
    expect(output).toContain(`fail  ${'broker programs'.padEnd(19)}  ${startText(cause, facts)}\n`);
  }

  it('says how to get the program of LOCAL_BROKER (broker_program_missing)', async () => {
    await expectRefusal({ LOCAL_BROKER: 'iggy' }, 'broker_program_missing', {
      ...{ driver: 'iggy', program: 'iggy-server', variable: 'IGGY_SERVER_BIN', command: 'npm run broker:iggy' },
    });
  });

  it('names the setting of a file that is not there (broker_program_unusable)', async () => {
    const facts = { variable: 'IGGY_SERVER_BIN', path: '/nowhere/iggy-server', reason: 'does not exist' };

    await expectRefusal({ IGGY_SERVER_BIN: facts.path }, 'broker_program_unusable', facts);
  });

  it('refuses another program (broker_program_foreign)', async () => {
    const path = aProgram('echo hello');

    const facts = { path, program: 'iggy-server', reason: 'it says "hello"' };
    await expectRefusal({ IGGY_SERVER_BIN: path }, 'broker_program_foreign', facts);
  });

  it('names the library that is missing (broker_library_missing)', async () => {
    const path = aProgram(NOT_LOADED);

    await expectRefusal({ IGGY_SERVER_BIN: path }, 'broker_library_missing', { path, library: 'libhwloc.so.15' });
  });

  it('refuses a release without proofs (broker_release_unproven)', async () => {
    const path = aProgram('echo server 0.9.0-edge.5');

    const facts = { path, release: '0.9.0-edge.5', line: '0.8' };
    await expectRefusal({ IGGY_SERVER_BIN: path }, 'broker_release_unproven', facts);
  });
});

describeWithIggy('The doctor with the real iggy-server', () => {
  it('names its release', async () => {
    const env = {
      LANDLORD_DATA_DIR: '.landlord',
      LOCAL_BROKER: 'iggy',
      IGGY_SERVER_BIN: IGGY_SERVER ?? '',
      ...AWAY,
    };
    const { output } = await runLandlord(env, 'doctor');

    expect(output).toMatch(/^ok {4}broker programs {6}embedded, .*iggy-server 0\.8\.\d+ \(/m);
  });
});
