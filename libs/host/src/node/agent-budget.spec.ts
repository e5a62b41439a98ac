import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { NodeUnderTest, until } from '../../test/node/agent.fixture.js';

const TICKS_PER_SECOND = 100;
const isLinux = process.platform === 'linux';
const RESIDENT_MIB = 60;
/** From 0.3 s on a machine where Node.js starts in 0.05 s. */
const BARE_STARTS = 6;
/** Other processes of a busy machine take a part of the caches, which costs CPU time. An agent that needs more needs it each time. */
const TRIES = 3;
const CPU_SECONDS = 'const { user, system } = process.cpuUsage(); (user + system) / 1e6';

/** The budget of the design: dozens of nodes share a laptop, and the framework of the Supervisor exceeds the budget. */
(isLinux ? describe : describe.skip)('the budget of an agent', () => {
  it('is 60 MB of memory, and the CPU of six bare starts of Node.js, to boot and look after a broker', async () => {
    const tries = [await measured()];
    while (tries.length < TRIES && Math.min(...tries.map(({ bareStarts }) => bareStarts)) >= BARE_STARTS)
      tries.push(await measured());

    for (const { residentMib } of tries) expect(residentMib).toBeLessThan(RESIDENT_MIB);
    expect(tries.every(({ bareStarts }) => bareStarts > 0)).toBe(true);
    expect(Math.min(...tries.map(({ bareStarts }) => bareStarts))).toBeLessThan(BARE_STARTS);
  });

  /** Boots an agent with a broker. Returns its memory, and its CPU time in bare starts of Node.js. */
  async function measured(): Promise<{ residentMib: number; bareStarts: number }> {
    const node = await NodeUnderTest.create();
    try {
      node.gateway.publish(node.spec, 1);
      const { pid } = node.startAgent();
      await node.running(1);
      await until('a few rounds', () => node.gateway.statuses.length >= 5);

      const status = await readFile(`/proc/${pid}/status`, 'utf8');
      const [, ticks = ''] = /\) \S+(?: \S+){10} (\d+ \d+)/.exec(await readFile(`/proc/${pid}/stat`, 'utf8')) ?? [];
      const cpuSeconds = ticks.split(' ').reduce((sum, part) => sum + Number(part), 0) / TICKS_PER_SECOND;
      const residentMib = Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
      return { residentMib, bareStarts: cpuSeconds / bareStart() };
    } finally {
      await node.destroy();
    }
  }

  /** CPU seconds of a bare start now. A busy machine makes everything slower. */
  function bareStart(): number {
    const starts = [1, 2, 3].map(() =>
      Number(execFileSync(process.execPath, ['-p', CPU_SECONDS], { encoding: 'utf8' })),
    );
    return Math.min(...starts);
  }
});
