import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { JEST } from '../../scripts/jest.mjs';
import { environmentOf } from './switch.mjs';

export const ROOT = join(import.meta.dirname, '../..');

/** Runs the specs with this mutant, or without a mutant. A run that exceeds the limit is stopped with its workers. */
export function play({ mutant, specs, slot, limitMs }) {
  const began = performance.now();
  // Each slot has its own worker number, because tests choose their ports by it.
  const env = { ...process.env, ...environmentOf(mutant), TEST_FIRST_WORKER: String(slot + 1) };
  const args = [...JEST, '--config', 'test/mutants/jest.config.mjs', ...specs];
  return new Promise((settle) => {
    const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    let output = '';
    let isLate = false;
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    const timer = setTimeout(() => {
      isLate = true;
      stopGroup(child.pid);
    }, limitMs);
    child.once('exit', (code) => {
      clearTimeout(timer);
      stopGroup(child.pid);
      settle({ isGreen: code === 0, isLate, output, ms: performance.now() - began });
    });
  });
}

function stopGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All processes of the group have ended.
  }
}
