import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { ROOT } from '../../architecture/sources/sources.js';
import { World } from '../matrix/world.js';
import {
  GENERATOR_GO,
  GENERATOR_JAVA,
  GENERATOR_PYTHON,
  GENERATOR_TYPESCRIPT,
  OAPI_CODEGEN,
  PYTHON_CLIENT,
} from './callers.js';
import { itWith, run, TOOLS, type Command } from './tools.js';

/** The packages of the clients, and what they are made from. */
const CLIENTS = Object.entries({ landlord_main: 'main-api', landlord_supervisor: 'supervisor' }).map(([name, app]) => ({
  name,
  document: join(ROOT, `contract/openapi.${app}.json`),
}));
const [oapiCodegen, pythonClient, openapiGenerator] = [
  await TOOLS.oapiCodegen(),
  await TOOLS.pythonClient(),
  await TOOLS.openapiGenerator(),
];

/** Each generator takes both documents, its code compiles, and a program calls both APIs with ids in the order of the path. */
describe('Generated clients', () => {
  let world: World;
  let folder: string;
  let call: { ids: string[]; env: object; name: string; rules: () => Promise<unknown> };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'landlord-generated-'));
    world = await World.start();
    call = await callOf(world);
  });
  afterEach(async () => {
    await world.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const succeed = async (command: Command, cwd = folder, env: object = {}): Promise<string> => {
    const { status, output } = await run(command, { cwd, env });
    expect({ command, status, output: status === 0 ? '' : output.slice(-4_000) }).toEqual({
      command,
      status: 0,
      output: '',
    });
    return output;
  };
  const expectCalled = async (command: Command, env: object = {}): Promise<void> => {
    const output = await succeed([...command, ...call.ids], folder, { ...call.env, ...env });

    expect(output.trim().split('\n').at(-1)).toBe(`${call.name} 204`);
    expect(await call.rules()).toEqual([]);
  };
  const generate = async (
    generator: Command,
    language: string,
    properties: (name: string) => string,
  ): Promise<void> => {
    for (const { name, document } of CLIENTS) {
      const target = ['-i', document, '-g', language, '-o', join(folder, name)];
      await succeed([...generator, 'generate', ...target, `--additional-properties=${properties(name)}`]);
    }
  };
  const runGo = async (program: string): Promise<void> => {
    await writeFile(join(folder, 'main.go'), program);
    await writeFile(join(folder, 'go.mod'), 'module example.com/clients\n\ngo 1.24\n');
    await succeed(['go', 'mod', 'tidy']);
    await succeed(['go', 'build', '-p=1', '-o', 'caller', '.']);
    await expectCalled(['./caller']);
  };

  itWith(oapiCodegen)('of oapi-codegen call both APIs', async (generator) => {
    for (const { name, document } of CLIENTS) {
      await mkdir(join(folder, name));
      const target = ['-package', name, '-o', join(folder, name, 'client.go')];
      await succeed([...generator, '-generate', 'types,client', ...target, document]);
    }
    await runGo(OAPI_CODEGEN);
  });

  itWith(openapiGenerator)('of openapi-generator for Go call both APIs', async (generator) => {
    await generate(generator, 'go', (name) => `packageName=${name},withGoMod=false`);
    for (const { name } of CLIENTS) await rm(join(folder, name, 'test'), { recursive: true, force: true });
    await runGo(GENERATOR_GO);
  });

  itWith(openapiGenerator)('of openapi-generator for TypeScript call both APIs', async (generator) => {
    await generate(generator, 'typescript-fetch', () => 'supportsES6=true');
    await writeFile(join(folder, 'main.ts'), GENERATOR_TYPESCRIPT);
    const strict = ['--strict', '--target', 'es2022', '--module', 'esnext', '--moduleResolution', 'bundler'];
    const typescript = [process.execPath, join(ROOT, 'node_modules/typescript/bin/tsc')];
    await succeed([...typescript, '--noEmit', ...strict, '--lib', 'es2022,dom,dom.iterable', 'main.ts']);
    const outfile = join(folder, 'main.mjs');
    await build({ entryPoints: [join(folder, 'main.ts')], bundle: true, format: 'esm', outfile, logLevel: 'silent' });
    await expectCalled([process.execPath, outfile]);
  });

  itWith(openapiGenerator)('of openapi-generator for Python install, and call both APIs', async (generator) => {
    await generate(generator, 'python', (name) => `packageName=${name}`);
    await succeed(['python3', '-m', 'venv', 'environment']);
    const python = join(folder, 'environment/bin/python');
    const packages = CLIENTS.map(({ name }) => join(folder, name));
    await succeed([python, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages]);
    await writeFile(join(folder, 'main.py'), GENERATOR_PYTHON);
    // Not the folders of the sources beside the program.
    await expectCalled([python, '-P', 'main.py']);
  });

  itWith(pythonClient)('of openapi-python-client call both APIs', async (python) => {
    for (const { name, document } of CLIENTS) {
      const target = ['--meta', 'none', '--output-path', join(folder, name)];
      await succeed([...python, '-m', 'openapi_python_client', 'generate', '--path', document, ...target]);
    }
    await succeed([...python, '-m', 'compileall', '-q', '.']);
    await writeFile(join(folder, 'main.py'), PYTHON_CLIENT);
    await expectCalled([...python, 'main.py']);
  });

  itWith(openapiGenerator)('of openapi-generator for Java call both APIs', async (generator) => {
    const packages = (name: string) => `invokerPackage=${name},apiPackage=${name}.api,modelPackage=${name}.model`;
    await generate(generator, 'java', (name) => `library=native,hideGenerationTimestamp=true,${packages(name)}`);
    for (const { name } of CLIENTS) {
      const maven = ['mvn', '-q', '-B', '-Dmaven.test.skip=true', '-DoutputDirectory=libs'];
      await succeed([...maven, 'compile', 'dependency:copy-dependencies'], join(folder, name));
    }
    await writeFile(join(folder, 'Main.java'), GENERATOR_JAVA);
    const classes = CLIENTS.flatMap(({ name }) => [`${name}/target/classes`, `${name}/libs/*`]).join(':');
    await expectCalled(['java', '-cp', classes, 'Main.java']);
  });
});

/** An environment to read at the main API, and an access rule to delete at the Supervisor. */
async function callOf(
  world: World,
): Promise<{ ids: string[]; env: object; name: string; rules: () => Promise<unknown> }> {
  const { cloud } = world;
  const { tenant_id, division_id } = cloud.installation;
  const environment = await world.environment();
  const { body } = await cloud.main().get(`${cloud.division}/environments/${environment}`);
  const deployment = await world.deployment();
  const path = `/deployments/${deployment}/access_rules`;
  const rule = await cloud.runtime().post(path, world.accessRule());
  return {
    ids: [tenant_id, division_id, environment, deployment, rule.body.id as number].map(String),
    env: { KEY: cloud.key, MAIN: cloud.mainApi.url, SUPERVISOR: cloud.supervisor.url },
    name: body.name as string,
    rules: async () => (await cloud.runtime().get(path)).body.items ?? (await cloud.runtime().get(path)).body,
  };
}
