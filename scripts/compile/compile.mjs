// Compiles the modules of the programs into `dist`: the files of the API with the plugins of nest-cli.json, and all
// others without knowledge of types.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { Worker } from 'node:worker_threads';
import { DIST, ROOT } from '../build-stamp.mjs';
import { importsIn } from './imports.mjs';
import { targetOf, transpile, writeModule } from './transpile.mjs';

const { plugins } = JSON.parse(readFileSync(join(ROOT, 'nest-cli.json'), 'utf8')).compilerOptions;
const SUFFIXES = plugins.flatMap(({ options }) => Object.values(options).filter(isSuffix)).flat();
const NOT_BUILT = /\.(spec|proof|fixture)\.ts$/;

/**
 * Compiles everything that the programs need. `roots` are the paths of the sources where the search for imports begins.
 * `bundled` are sources that only the bundler compiles.
 */
export class Compilation {
  #roots;
  #bundled;
  #found = new Set();
  #written = new Set();
  #api = null;
  #others = null;

  constructor({ roots, bundled }) {
    this.#roots = roots;
    this.#bundled = new Set(bundled);
  }

  /** Resolves with the paths of all compiled modules below `dist`. Rejects with the first error of a compiler. */
  async run() {
    this.#api = compileApi(sourcesOfApi());
    this.#others = this.#follow(this.#roots);
    // The other promise may fail as well.
    this.#api.catch(() => undefined);
    await this.#others;
    // The plugins add imports.
    for (const { source, code } of await this.#api)
      if (this.#found.has(source)) await this.#follow(importsIn(code, source));
    return [...this.#written].map((source) => relative(DIST, targetOf(source)).split(sep).join('/'));
  }

  /** Resolves when the module of this path in `dist` is written. */
  async written(target) {
    await this.#others;
    const source = join(ROOT, relative(DIST, target)).replace(/\.js$/, '.ts');
    if (isOfApi(source) || !this.#written.has(source)) await this.#api;
  }

  async #follow(sources) {
    await Promise.all(sources.map((source) => this.#compile(source)));
  }

  async #compile(source) {
    if (this.#found.has(source)) return;
    this.#found.add(source);
    const output = await transpile(source);
    if (!this.#bundled.has(source)) this.#written.add(source);
    if (!this.#bundled.has(source) && !isOfApi(source)) writeModule(source, output);
    await this.#follow(importsIn(output.code, source));
  }
}

const isOfApi = (source) => SUFFIXES.some((suffix) => source.endsWith(suffix));

/** The option of a plugin that lists the files it reads. */
function isSuffix(option) {
  return [option].flat().every((value) => typeof value === 'string' && value.endsWith('.ts'));
}

/** All sources of the apps and of the launcher: tests and benches import some that no program imports. */
export function rootSources() {
  const apps = readdirSync(join(ROOT, 'apps')).map((app) => join(ROOT, 'apps', app, 'src'));
  return [...apps, join(ROOT, 'libs/launcher/src')].flatMap(sourcesIn);
}

const sourcesOfApi = () => ['apps', 'libs'].flatMap((folder) => sourcesIn(join(ROOT, folder))).filter(isOfApi);

function sourcesIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true })
    .filter((file) => file.endsWith('.ts') && !NOT_BUILT.test(file))
    .map((file) => join(folder, file));
}

/** In a thread of its own: the compiler blocks it for seconds. */
function compileApi(sources) {
  const worker = new Worker(new URL('api-modules.mjs', import.meta.url), { workerData: { sources, plugins } });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`The compiler of the API ended (exit code ${code}).`)));
  });
}
