import { spawn } from 'node:child_process';

let running = null;
let isInterrupted = false;

/** Somebody asked us to end; whoever catches it cleans up. */
export class Interrupted extends Error {
  name = 'Interrupted';
}

/** From here on Ctrl-C and its like end the command that runs, with all its children, and then throw Interrupted. */
export function endCommandsOnSignals() {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      isInterrupted = true;
      endGroup(running);
    });
}

/** Runs a command with its output shown. Answers its exit code, 1 when it was killed. Throws Interrupted. */
export async function runCommand(command, args, options) {
  if (isInterrupted) throw new Interrupted();
  // A group of its own: a terminal's Ctrl-C reaches us alone, and the group is ended with everything in it.
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
    // It ended between the question and the signal.
  }
}
