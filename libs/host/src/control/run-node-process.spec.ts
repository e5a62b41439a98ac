import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const BUILT = pathToFileURL(resolve('dist/libs/host/src/control/run-node-process.js')).href;

describe('A process of a node', () => {
  let child: ChildProcess | null = null;
  afterEach(() => child?.kill('SIGKILL'));

  /** Fails outside of every call, and says one second of turns later that it still runs. */
  async function lifeWith(failure: string): Promise<{ code: number | null; output: string }> {
    const script = `import { runNodeProcess } from ${JSON.stringify(BUILT)};
      runNodeProcess(async () => ({
        start: async () => {
          setImmediate(() => { ${failure} });
          setImmediate(() => setImmediate(() => { console.log('serves on'); process.exit(0); }));
        },
        stop: () => undefined,
      }));`;
    child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, output };
  }
  const failureOf = (facts: object): string => `throw Object.assign(new Error('failed'), ${JSON.stringify(facts)});`;
  const rejectionOf = (facts: object): string =>
    `void Promise.reject(Object.assign(new Error('failed'), ${JSON.stringify(facts)}));`;

  it.each(['EIO', 'ENOSPC', 'EROFS', 'EACCES'])('outlives %s of a file that reaches no caller', async (code) => {
    for (const failure of [failureOf({ code, syscall: 'write' }), rejectionOf({ code, syscall: 'open' })]) {
      const { code: exitCode, output } = await lifeWith(failure);

      expect([exitCode, output]).toEqual([0, expect.stringContaining('serves on')]);
      expect(output).toContain('a failure of the disk or of a connection reached no caller');
    }
  });

  it('ends at any other one, with the reason in its last line', async () => {
    const { code, output } = await lifeWith(failureOf({ code: 'EACCES', syscall: 'listen' }));

    expect(code).toBe(1);
    expect(output).not.toContain('serves on');
    expect(JSON.parse(output.trim().split('\n').at(-1) ?? '')).toMatchObject({ level: 'error', msg: 'failed' });
  });
});
