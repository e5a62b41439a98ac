// Loaded before a server that the bench profiles. SIGWINCH starts the profiler. The next SIGWINCH stops the profiler and writes
// the file of PROFILE_FILE. Nest ends the process for every other signal that could be used.
import { renameSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';

const session = new Session();
session.connect();
let running = false;

process.on('SIGWINCH', async () => {
  if (running) {
    const { profile } = await session.post('Profiler.stop');
    const file = process.env.PROFILE_FILE;
    writeFileSync(`${file}.part`, JSON.stringify(profile));
    renameSync(`${file}.part`, file);
  } else {
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: 200 });
    await session.post('Profiler.start');
  }
  running = !running;
});
