import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { noteSkip, pythonWith } from '@libs/testing';
import { ROOT } from '../../architecture/sources/sources.js';

/** In the cache folder of npm packages: it survives between runs and is not committed. */
const CACHE = join(ROOT, 'node_modules/.cache/generators');
const MOST_MS = 15 * 60_000;

/** The words that start a program. */
export type Command = readonly string[];
/** A program of another project, or why it cannot be had here. */
export type Tool = { command: Command; missing: null } | { command: null; missing: string };

export interface Ended {
  status: number | null;
  output: string;
}

/** Runs a program to its end, with low priority, because compilers use every core. */
export function run(command: Command, { cwd = ROOT, env = {} }: { cwd?: string; env?: object } = {}): Promise<Ended> {
  const child = spawn('nice', ['-n', '10', ...command], {
    cwd,
    env: { ...process.env, GOFLAGS: '-mod=mod', ...env },
    timeout: MOST_MS,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()));
  return new Promise((settle) => {
    child.once('error', (error) => settle({ status: null, output: error.message }));
    child.once('close', (status) => settle({ status, output }));
  });
}

/** Why one of these programs is missing. Null: all are there. */
async function withoutPrograms(...programs: Command[]): Promise<string | null> {
  for (const program of programs) if ((await run(program)).status !== 0) return `${program[0]} is missing`;
  return null;
}

/** Makes a file or folder of the cache once, in another folder that appears whole. */
async function cached(name: string, file: string, make: (folder: string) => Command): Promise<Tool> {
  const place = join(CACHE, name);
  const tool = { command: [join(place, file)], missing: null };
  if (existsSync(join(place, file))) return tool;
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(`${place}.`);
  const { status, output } = await run(make(folder), { env: { GOBIN: folder } });
  if (status === 0 && existsSync(join(folder, file))) {
    await rename(folder, place);
    return tool;
  }
  await rm(folder, { recursive: true, force: true });
  return { command: null, missing: `${name} cannot be had: ${output.trim().slice(-200)}` };
}

const without = (missing: string): Tool => ({ command: null, missing });

/** A program that Go builds from its module. */
async function goTool(path: string, version: string): Promise<Tool> {
  const missing = await withoutPrograms(['go', 'version']);
  const name = path.split('/').at(-1) ?? '';
  return missing ? without(missing) : cached(`${name}-${version}`, name, () => ['go', 'install', `${path}@${version}`]);
}

/** A Python that has the package. */
async function pythonTool(name: string, version: string): Promise<Tool> {
  const { python, missing } = await pythonWith(join(CACHE, `${name}-${version}`), `${name}==${version}`);
  return python === null ? without(missing) : { command: [python], missing: null };
}

async function generatorTool(): Promise<Tool> {
  const missing = await withoutPrograms(['java', '-version'], ['mvn', '-version']);
  if (missing) return without(missing);
  const artifact = 'org.openapitools:openapi-generator-cli:7.14.0';
  const jar = 'openapi-generator-cli-7.14.0.jar';
  const tool = await cached('openapi-generator-7.14.0', jar, (folder) => [
    ...['mvn', '-q', '-B', 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${folder}`],
  ]);
  return tool.command ? { command: ['java', '-Xmx1g', '-jar', ...tool.command], missing: null } : tool;
}

const spectralTool = (): Promise<Tool> =>
  cached('spectral-6.16.3', 'node_modules/@stoplight/spectral-cli/dist/index.js', (folder) => [
    ...['npm', 'install', '--no-audit', '--no-fund', '--prefix', folder, '@stoplight/spectral-cli@6.16.3'],
  ]);

/** The validators and generators, each in the release that the proofs know. */
export const TOOLS = {
  kinOpenapi: () => goTool('github.com/getkin/kin-openapi/cmd/validate', 'v0.153.0'),
  oapiCodegen: () => goTool('github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen', 'v2.8.2'),
  specValidator: () => pythonTool('openapi-spec-validator', '0.9.0'),
  pythonClient: () => pythonTool('openapi-python-client', '0.29.1'),
  openapiGenerator: generatorTool,
  spectral: spectralTool,
} as const;

/** `it` where the tool can be had. The end of the run names what was skipped. */
export function itWith(tool: Tool): (title: string, test: (command: Command) => Promise<void>) => void {
  return (title, test) => {
    if (tool.command) return void it(title, () => test(tool.command), MOST_MS);
    noteSkip(
      tool.missing,
      'Install Go, Python 3, Java and Maven; the tools come from the registries of these languages',
    );
    it.skip(title, () => undefined);
  };
}
