import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packagesFolder } from '../../scripts/debian-package.mjs';

const HELM = 'v3.22.0';
const VALIDATOR = '1.37.0';
const DEADLINE_MS = 15 * 60_000;

export interface Run {
  status: number | null;
  output: string;
}

/** A program that is available, or the reason why not. */
export type Found = { program: string; missing: null } | { program: null; missing: string };

/** Runs a program. `output` is what it prints, with its messages if it fails. */
export function run(program: string, args: readonly string[], env: Record<string, string> = {}): Run {
  const options = { encoding: 'utf8' as const, timeout: DEADLINE_MS, env: { ...process.env, ...env } };
  const { status, stdout, stderr, error } = spawnSync(program, args, options);
  return { status, output: status === 0 ? stdout : `${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}` };
}

/** Helm of PATH, or else built from its Go module into the data directory. */
export function findHelm(): Found {
  if (run('helm', ['version']).status === 0) return { program: 'helm', missing: null };
  const folder = join(packagesFolder(), `helm-${HELM}`);
  const program = join(folder, 'helm');
  if (existsSync(program)) return { program, missing: null };
  if (run('go', ['version']).status !== 0) return { program: null, missing: 'there is no helm, and no Go to build it' };
  const built = run('go', ['install', `helm.sh/helm/v3/cmd/helm@${HELM}`], { GOBIN: folder, GOFLAGS: '-mod=mod' });
  return built.status === 0 ? { program, missing: null } : { program: null, missing: lastLine(built.output) };
}

/** kubernetes-validate contains the JSON schemas of the releases of Kubernetes. */
export function findValidator(): Found {
  const folder = join(packagesFolder(), `kubernetes-validate-${VALIDATOR}`);
  const program = join(folder, 'bin/kubernetes-validate');
  if (existsSync(program)) return { program, missing: null };
  const environment = run('python3', ['-m', 'venv', folder]);
  if (environment.status !== 0) return { program: null, missing: lastLine(environment.output) };
  const pip = run(join(folder, 'bin/pip'), ['install', '--quiet', `kubernetes-validate==${VALIDATOR}`]);
  return pip.status === 0 ? { program, missing: null } : { program: null, missing: lastLine(pip.output) };
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? '';
