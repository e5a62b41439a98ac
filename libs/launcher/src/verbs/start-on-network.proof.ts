import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { testAuthority } from '@libs/testing';
import { compileLauncher, type CompiledLauncher } from '../../test/compiled-launcher.js';
import { FAKE_MIGRATIONS } from '../../test/fake-migrations.js';
import { LauncherBench } from '../../test/launcher-process.js';

const UP = 'Press Ctrl-C to stop Landlord.';

describe('The launcher', () => {
  let build: CompiledLauncher;
  let bench: LauncherBench;
  beforeAll(() => {
    build = compileLauncher(FAKE_MIGRATIONS);
  });
  afterAll(() => build.remove());
  beforeEach(async () => {
    bench = await LauncherBench.open(build);
  });
  afterEach(() => bench.close());

  it('is up with TLS on every listener, whose certificate is not for the loopback alone, and shows https', async () => {
    const { cert, key } = await testAuthority();
    for (const [name, content] of [['cert.pem', cert] as const, ['key.pem', key] as const])
      writeFileSync(bench.path(name), content);

    const launcher = bench.launch('start', { TLS_CERT: bench.path('cert.pem'), TLS_KEY: bench.path('key.pem') });
    await launcher.says(UP);

    expect(launcher.output).toContain(`https://localhost:${bench.ports.main}/docs`);
    expect(launcher.output).toContain(`https://localhost:${bench.ports.main}/console/welcome#first-token`);
    expect(launcher.output).not.toContain('http://');
  });

  it('runs the agent of its own machine, starts it again when it dies, and ends it first', async () => {
    bench.fakeMachineAgent();
    const launcher = bench.launch();
    await launcher.says(UP);
    const [first = 0] = await bench.storyHas('machine agent', 1);

    process.kill(first, 'SIGKILL');
    await bench.storyHas('machine agent', 2);
    launcher.kill('SIGTERM');
    await launcher.ended();

    expect(bench.read('story.txt').trimEnd().split('\n').at(-1)).toBe('machine agent ended');
  });

  it('leaves a machine agent alone that an operator has removed, and says where its log is', async () => {
    bench.fakeMachineAgent();
    writeFileSync(bench.path('machine.refusing'), '');
    const launcher = bench.launch();
    await launcher.says(UP);
    await launcher.says('The agent of this machine has ended.');
    launcher.kill('SIGTERM');
    await launcher.ended();

    expect(bench.read('story.txt').match(/machine agent started/g)).toHaveLength(1);
  });

  it('starts no machine agent on a host that is no machine', async () => {
    mkdirSync(join(bench.dataDir, 'machine'));
    bench.fakeMachineAgent({ isJoined: false });
    const launcher = bench.launch();
    await launcher.says(UP);
    launcher.kill('SIGTERM');
    await launcher.ended();

    expect(bench.read('story.txt')).not.toContain('machine agent');
  });
});
