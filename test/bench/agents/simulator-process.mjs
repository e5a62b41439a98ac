// The simulator as a child process, with its commands as calls.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onCore } from '../world.mjs';

const SIMULATOR = fileURLToPath(new URL('simulator.mjs', import.meta.url));

export function openSimulator(core, entry = SIMULATOR) {
  const [command, ...args] = onCore(core, [process.execPath, entry]);
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const waiting = new Map();
  let serial = 0;
  child.on('message', ({ id, answer }) => {
    waiting.get(id).settle(answer);
    waiting.delete(id);
  });
  child.once('exit', (code, signal) => {
    for (const { fail } of waiting.values()) fail(new Error(`the simulator ended: ${signal ?? code}`));
  });
  const ask = (verb, rest) =>
    new Promise((settle, fail) => {
      serial += 1;
      waiting.set(serial, { settle, fail });
      child.send({ verb, id: serial, ...rest });
    });
  return {
    pid: child.pid,
    connect: (rest) => ask('connect', rest),
    report: (rest) => ask('report', rest),
    tell: () => ask('tell', {}),
    park: (rest) => ask('park', rest),
    unpark: () => ask('unpark', {}),
    storm: () => ask('storm', {}),
    returned: () => ask('returned', {}),
    close: () => child.kill('SIGKILL'),
  };
}
