import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { NodeUnderTest, until } from '../test/agent.fixture.js';

const TICKS_PER_SECOND = 100;
const isLinux = process.platform === 'linux';
/** Another process on the same core makes the processor slower, so the test has three tries. From 0.3 s on a machine where Node.js starts in 0.05 s. */
const BARE_STARTS = 6;
const CPU_SECONDS = 'const { user, system } = process.cpuUsage(); (user + system) / 1e6';
/** More than a bare Node.js needs. How many pages of Node's own program count depends on the machine; all agents share them. */
const MORE_MEMORY_MIB = 24;
const RESIDENT_MIB =
  "Number(/VmRSS:\\s+(\\d+) kB/.exec(require('fs').readFileSync('/proc/self/status', 'utf8'))[1]) / 1024";

/** The budget of the design: dozens of nodes share a laptop, and the framework of the Supervisor exceeds the budget. */
(isLinux ? describe : describe.skip)('the budget of an agent', () => {
  it(
    'is 24 MiB more memory than a bare Node.js, and the CPU of six bare starts, to boot and look after a broker',
    { retry: 2 },
    async () => {
      const node = await NodeUnderTest.create();
      try {
        node.gateway.publish(node.spec, 1);
        const { pid } = node.startAgent();
        await node.running(1);
        await until('a few rounds', () => node.gateway.statuses.length >= 5);

        const status = await readFile(`/proc/${pid}/status`, 'utf8');
        const [, ticks = ''] = /\) \S+(?: \S+){10} (\d+ \d+)/.exec(await readFile(`/proc/${pid}/stat`, 'utf8')) ?? [];
        const cpuSeconds = ticks.split(' ').reduce((sum, part) => sum + Number(part), 0) / TICKS_PER_SECOND;

        const bareMib = bare(RESIDENT_MIB);
        expect(bareMib).toBeGreaterThan(1);
        expect(Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024 - bareMib).toBeLessThan(MORE_MEMORY_MIB);
        expect(cpuSeconds).toBeGreaterThan(0);
        expect(cpuSeconds / bare(CPU_SECONDS)).toBeLessThan(BARE_STARTS);
      } finally {
        await node.destroy();
      }
    },
  );

  /** What a bare Node.js needs now. A busy machine makes everything slower. */
  function bare(figure: string): number {
    const starts = [1, 2, 3].map(() => Number(execFileSync(process.execPath, ['-p', figure], { encoding: 'utf8' })));
    return Math.min(...starts);
  }
});
