// How the sources name each other: by a relative path, or by an alias of tsconfig.json.
import { readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { ROOT } from '../build-stamp.mjs';

const { compilerOptions } = JSON.parse(readFileSync(join(ROOT, 'tsconfig.json'), 'utf8'));
const PATHS = compilerOptions.paths;
const ALIAS = /^@(libs|landlord)\//;
const STATEMENT = /\b(from|import)(\s*\(?\s*)(["'])((?:@libs\/|@landlord\/|\.{1,2}\/)[^"'\n]+)\3/g;

/** The path of the source that `specifier` means in the file `importer`, or null for a package. */
export function sourceOf(specifier, importer) {
  if (specifier.startsWith('.')) return join(dirname(importer), specifier).replace(/\.js$/, '.ts');
  if (!ALIAS.test(specifier)) return null;
  const [path] = PATHS[specifier] ?? [PATHS['@libs/*'][0].replace('*', specifier.slice('@libs/'.length))];
  return join(ROOT, path);
}

/** The paths of the sources that the compiled text of `importer` imports. */
export function importsIn(text, importer) {
  return [...text.matchAll(STATEMENT)].map(([, , , , specifier]) => sourceOf(specifier, importer));
}

/** The text with relative paths in place of the aliases, which Node does not know. */
export function withoutAliases(text, importer) {
  return text.replace(STATEMENT, (statement, word, between, quote, specifier) =>
    ALIAS.test(specifier) ? `${word}${between}${quote}${pathFrom(importer, specifier)}${quote}` : statement,
  );
}

function pathFrom(importer, specifier) {
  const path = relative(dirname(importer), sourceOf(specifier, importer)).split(sep).join('/').replace(/\.ts$/, '.js');
  return path.startsWith('.') ? path : `./${path}`;
}
