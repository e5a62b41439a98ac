import { spawn } from 'node:child_process';

let running = null;
let isInterrupted = false;

/** The process received a signal to end; the code that catches this error cleans up. */
export class Interrupted extends Error {
  name = 'Interrupted';
}

/** From now on Ctrl-C and similar signals end the running command with all its children, and then throw Interrupted. */
export function endCommandsOnSignals() {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      isInterrupted = true;
      endGroup(running);
    });
}

/** Runs a command and shows its output. Returns its exit code, 1 if it was killed. Throws Interrupted. */
export async function runCommand(command, args, options) {
  if (isInterrupted) throw new Interrupted();
  // A separate process group: Ctrl-C of a terminal reaches only this process, which then ends the whole group.
  running = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], detached: true, ...options });
  const code = await new Promise((settle, reject) => {
    running.once('error', reject);
    running.once('exit', (exitCode) => settle(exitCode ?? 1));
  });
  running = null;
  if (isInterrupted) throw new Interrupted();
  return code;
}

function endGroup(child) {
  try {
    if (child?.pid) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The process ended between the check and the signal.
  }
}
