import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

/** Output and exit code of a command. */
export interface Said {
  code: number | null;
  output: string;
}

/** Runs `landlord <args>` from the compiled tree, with only this environment. */
export function runLandlord(env: Record<string, string>, ...args: string[]): Promise<Said> {
  return runLandlordOf(process.cwd(), env, ...args);
}

/** The same, from the compiled tree of another checkout. */
export async function runLandlordOf(checkout: string, env: Record<string, string>, ...args: string[]): Promise<Said> {
  const child = spawn(process.execPath, [resolve(checkout, 'dist/libs/launcher/src/main.js'), ...args], {
    cwd: checkout,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}
