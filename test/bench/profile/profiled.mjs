// Loaded before a server that the bench profiles. SIGWINCH starts the profiler. The next SIGWINCH stops the profiler and writes
// the file of PROFILE_FILE.
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';

const session = new Session();
session.connect();
let running = false;

process.on('SIGWINCH', async () => {
  if (running) {
    const { profile } = await session.post('Profiler.stop');
    writeFileSync(process.env.PROFILE_FILE, JSON.stringify(profile));
  } else {
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: 200 });
    await session.post('Profiler.start');
  }
  running = !running;
});
