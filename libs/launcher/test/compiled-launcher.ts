import { transformFileSync } from '@swc/core';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const LAUNCHER = resolve(import.meta.dirname, '..');
const REPOSITORY = resolve(LAUNCHER, '../..');
/** What is compiled too. */
const REAL = ['libs/domain/src', 'libs/host/src/os'];
/** The files of the aliases, as in tsconfig.json. */
const ALIASES = (
  JSON.parse(readFileSync(join(REPOSITORY, 'tsconfig.json'), 'utf8')) as {
    compilerOptions: { paths: Record<string, string[]> };
  }
).compilerOptions.paths;

/** A build of the launcher in a temporary directory, with the layout of `dist`. */
export interface CompiledLauncher {
  /** The root of the build. */
  dist: string;
  /** `libs/launcher/src` of the build. */
  src: string;
  remove(): void;
}

/**
 * Compiles the current launcher, the domain and the library of the operating system, so that specs can run it as a separate process.
 * Replaces other libraries with `libraries`, the text of one module, because these specs test only the launcher.
 */
export function compileLauncher(libraries = ''): CompiledLauncher {
  const root = mkdtempSync(join(tmpdir(), 'landlord-compiled-'));
  const dist = join(root, 'dist');
  const fake = join(dist, 'libraries.js');
  const src = join(dist, 'libs/launcher/src');
  const addressOf = (name: string): string => pathToFileURL(compiledFile(dist, name) ?? fake).href;
  compileFolder(join(LAUNCHER, 'src'), src, addressOf);
  for (const folder of REAL) compileFolder(join(REPOSITORY, folder), join(dist, folder), addressOf);
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
  writeFileSync(fake, libraries);
  symlinkSync(join(REPOSITORY, 'node_modules'), join(root, 'node_modules'));
  return { dist, src, remove: () => rmSync(root, { recursive: true, force: true }) };
}

/** The compiled entry point of a real library with this name, or null for another one. */
function compiledFile(dist: string, name: string): string | null {
  const entry = ALIASES[`@libs/${name}`]?.[0]?.replace('./', '') ?? `libs/${name}/src/index.ts`;
  return REAL.some((folder) => entry.startsWith(`${folder}/`)) ? join(dist, entry.replace(/\.ts$/, '.js')) : null;
}

function compileFolder(from: string, to: string, addressOf: (library: string) => string): void {
  const files = readdirSync(from, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => /(?<!\.spec)\.ts$/.test(name))) {
    const { code } = transformFileSync(join(from, file), {
      swcrc: false,
      sourceMaps: 'inline',
      module: { type: 'es6' },
      jsc: { target: 'es2022', parser: { syntax: 'typescript', decorators: true } },
    });
    const target = join(to, file.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(
      target,
      code.replaceAll(/['"]@libs\/([\w/-]+)['"]/g, (_, name: string) => JSON.stringify(addressOf(name))),
    );
  }
}
