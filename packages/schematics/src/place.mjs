import { dirname, relative } from 'node:path/posix';
import { capital, GeneratorError } from './names.mjs';

const NAME = /^[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*$/;
/** Words that say nothing (test/architecture/tree.spec.ts). */
const MEANINGLESS = /(^|-)(utils?|helpers?|common|misc|managers?)(-|$)/;

/** The forms of a name in lower case with hyphens. The Nest CLI has changed `UsageReports` to `usage-reports`. */
export function formsOf(text, kind) {
  const name = String(text ?? '').replaceAll('_', '-');
  if (name === '') throw new GeneratorError(`Name the ${kind}: npx --no nest g ${kind} usage-reports`);
  if (!NAME.test(name)) throw new GeneratorError(`"${name}" is not a name in lower case, such as "usage-reports".`);
  if (MEANINGLESS.test(name)) throw new GeneratorError(`"${name}" says too little. Name what the ${kind} is about.`);
  const [Name, words] = [capital(name), name.replaceAll('-', ' ')];
  const CONSTANT = name.replaceAll('-', '_').toUpperCase();
  return { name, Name, CONSTANT, words, Words: words[0].toUpperCase() + words.slice(1) };
}

/** The name of an element and its folder. `options`: those of the Nest CLI. */
export function placeOf(tree, { name, path, project, sourceRoot, flat, specFileSuffix }, kind) {
  const segments = `${path ?? ''}/${name ?? ''}`.split('/').filter((segment) => segment !== '' && segment !== '.');
  const folders = segments.slice(0, -1).map((segment) => formsOf(segment, kind).name);
  const forms = formsOf(name === undefined ? '' : segments.at(-1), kind);
  const { projects } = JSON.parse(tree.read('nest-cli.json').toString());
  if (project !== undefined && !(project in projects))
    throw new GeneratorError(`"${project}" is none of the projects ${Object.keys(projects).join(', ')}.`);
  if ((specFileSuffix ?? 'spec') !== 'spec')
    throw new GeneratorError('The tests of this repository end with .spec.ts.');
  const below = flat === true ? folders : [...folders, forms.name];
  return { ...forms, sourceRoot, moduleName: below[0] ?? null, folder: [sourceRoot, ...below].join('/') };
}

/** The name of the app with these sources. Null for the sources of a library. */
export const appOf = (sourceRoot) => /^apps\/([^/]+)\/src$/.exec(sourceRoot)?.[1] ?? null;

/** The module file of a folder, or the nearest one above it. Null without one. */
export function nearestModule(tree, folder, sourceRoot) {
  const files = tree.getDir(folder).subfiles.filter((file) => file.endsWith('.module.ts'));
  const own = `${(folder === sourceRoot ? dirname(folder) : folder).split('/').at(-1)}.module.ts`;
  const file = files.includes(own) ? own : files[0];
  if (file !== undefined) return `${folder}/${file}`;
  return folder === sourceRoot ? null : nearestModule(tree, dirname(folder), sourceRoot);
}

/** The class of a module file, and the path to import it from `folder`. */
export function moduleClass(tree, file, folder) {
  const Class = /export class (\w+)/.exec(tree.read(file).toString())?.[1];
  if (Class === undefined) throw new GeneratorError(`${file} has no class.`);
  return { Class, path: importPath(folder, file) };
}

/** The path that a file in `folder` imports `file` by. */
export function importPath(folder, file) {
  const path = relative(folder, file).replace(/\.ts$/, '.js');
  return path.startsWith('.') ? path : `./${path}`;
}

/** Creates a file. An existing one is an error. */
export function create(tree, path, text) {
  if (tree.exists(path)) throw new GeneratorError(`${path} exists.`);
  tree.create(path, text);
}
