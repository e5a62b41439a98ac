import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../../..');

/** Runs a program in JavaScript in a folder with the libraries of this repository. Returns what the program prints. */
export async function runPasted(program: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'landlord-snippet-'));
  try {
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'hello.mjs'), program);
    const child = spawn(process.execPath, ['hello.mjs'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    await new Promise((resolve) => child.once('close', resolve));
    return printed;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
