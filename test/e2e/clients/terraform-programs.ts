import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { packagesFolder } from '../../../scripts/debian-package.mjs';

export const PROVIDER = join(import.meta.dirname, '../../../packages/terraform-provider-landlord');
const TOFU_MODULE = join(PROVIDER, 'tools/tofu');
const BUILD_MS = 20 * 60_000;

export interface Ended {
  code: number | null;
  output: string;
}

/** The programs of the acceptance tests, or the reason why they cannot run. */
export type Found = { terraform: string; missing: null } | { terraform: null; missing: string };

const answers = (program: string, ...args: string[]): boolean => spawnSync(program, args).status === 0;

/** Why no provider can be built here. Null: it can. */
export const withoutGo = answers('go', 'version') ? null : 'Go is missing';

/** A terraform or tofu: that of TERRAFORM_BIN, otherwise one of PATH, otherwise OpenTofu, which is built once from its Go module. */
export async function findTerraform(): Promise<Found> {
  if (withoutGo !== null) return { terraform: null, missing: withoutGo };
  const present = [process.env['TERRAFORM_BIN'], 'terraform', 'tofu'].find((name) => name && answers(name, 'version'));
  if (present) return { terraform: pathOf(present), missing: null };
  const folder = join(packagesFolder(), `tofu-${tofuRelease()}`);
  const terraform = join(folder, 'tofu');
  if (existsSync(terraform)) return { terraform, missing: null };
  mkdirSync(folder, { recursive: true });
  const unfinished = join(folder, `.tofu-${process.pid}`);
  // One package at a time and with low priority, because the build takes minutes.
  const built = await run(
    ['nice', '-n', '19', 'go', 'build', '-p=1', '-trimpath', '-o', unfinished, 'github.com/opentofu/opentofu/cmd/tofu'],
    {
      cwd: TOFU_MODULE,
      env: { CGO_ENABLED: '0' },
      timeoutMs: BUILD_MS,
    },
  );
  if (built.code !== 0)
    return { terraform: null, missing: `OpenTofu cannot be built: ${built.output.trim().split('\n').at(-1)}` };
  renameSync(unfinished, terraform);
  return { terraform, missing: null };
}

function tofuRelease(): string {
  const [, release = ''] =
    / github\.com\/opentofu\/opentofu v(\S+)/.exec(readFileSync(join(TOFU_MODULE, 'go.mod'), 'utf8')) ?? [];
  return release;
}

const pathOf = (program: string): string =>
  program.includes('/')
    ? program
    : spawnSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).stdout.trim();

/** Runs a program in the folder of the provider. */
export function run(
  [program = '', ...args]: string[],
  { cwd = PROVIDER, env = {}, timeoutMs }: { cwd?: string; env?: Record<string, string>; timeoutMs: number },
): Promise<Ended> {
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, timeout: timeoutMs });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
}
