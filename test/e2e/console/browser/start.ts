import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { eventually } from '@libs/testing';

/** The program of `npm start`, with its embedded database. */
export class Start {
  output = '';
  private readonly child: ChildProcess;

  constructor(env: Record<string, string>) {
    const entry = 'dist/libs/launcher/src/main.js';
    this.child = spawn(process.execPath, [entry, 'start'], {
      env: { PATH: process.env['PATH'] ?? '', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
  }

  async isUp(): Promise<void> {
    await eventually(
      'Landlord is running',
      () => {
        if (this.child.exitCode !== null) throw new Error(this.output);
        return this.output.includes('Press Ctrl-C to stop Landlord.');
      },
      120_000,
    );
  }

  get link(): URL {
    return new URL(/http:\/\/localhost:\d+\/console\/welcome#[\w-]{43}/.exec(this.output)?.[0] ?? 'about:none');
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null) return;
    this.child.kill('SIGTERM');
    await once(this.child, 'exit');
  }
}
