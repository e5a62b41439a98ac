// npm run play:aws or play:gcp (as root): Landlord with the driver of a cloud on an emulator: Moto for AWS, the fake of Compute Engine for
// Google Cloud. Each instance boots as a container of this machine. Landlord runs until Ctrl-C. Exit code 1: it did not start, and the
// output says what is missing.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JEST } from './jest.mjs';

const [cloud] = process.argv.slice(2);
if (cloud !== 'aws' && cloud !== 'gcp') {
  console.error('Name the cloud: aws or gcp.');
  process.exit(2);
}
const npm = (...args) => spawnSync('npm', args, { stdio: 'inherit' }).status ?? 1;

if (npm('run', '--silent', 'build') !== 0 || npm('run', '--silent', 'machine:host') !== 0) process.exit(1);
const folder = mkdtempSync(join(tmpdir(), 'landlord-play-'));
const file = join(folder, 'playing');
writeFileSync(file, '');
// A group of its own: Ctrl-C must reach this process alone, so that everything is ended in order.
const play = spawn(process.execPath, [...JEST, `test/e2e/${cloud}/play.proof.ts`, '--verbose=false'], {
  env: { ...process.env, PLAY_CLOUD: file },
  stdio: ['ignore', 'inherit', 'inherit'],
  detached: true,
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => rmSync(file, { force: true }));
play.on('exit', (code) => {
  // Nobody has ended the play, so it did not begin.
  const failed = existsSync(file);
  rmSync(folder, { recursive: true, force: true });
  process.exit(failed ? 1 : (code ?? 1));
});
