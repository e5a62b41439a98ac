// Starts processes on a busy machine, which can take longer than a bench waits, and ends them together.
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const PATIENCE_MS = 120_000;
const LOOK_AGAIN_MS = 50;

export class Processes {
  #children = [];

  /** @param directory The folder of the logs. */
  constructor(directory) {
    this.directory = directory;
  }

  /** Starts a module and waits until `probe` answers 200. */
  async start(entry, environment, probe) {
    const log = join(this.directory, `${this.#children.length}.log`);
    const output = openSync(log, 'w');
    const child = spawn(process.execPath, [resolve(entry)], {
      env: { PATH: process.env.PATH, NODE_ENV: 'production', ...environment },
      stdio: ['ignore', output, output],
    });
    closeSync(output);
    this.#children.push(child);
    const deadline = performance.now() + PATIENCE_MS;
    while (performance.now() < deadline) {
      if (child.exitCode !== null) throw new Error(`${entry} ended:\n${readFileSync(log, 'utf8').slice(-2000)}`);
      const answer = await fetch(probe).catch(() => null);
      await answer?.arrayBuffer();
      if (answer?.status === 200) return child;
      await delay(LOOK_AGAIN_MS);
    }
    throw new Error(`${entry} does not answer`);
  }

  end() {
    for (const child of this.#children) child.kill('SIGKILL');
  }
}
