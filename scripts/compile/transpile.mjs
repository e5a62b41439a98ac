// Compiles one source without its types. Fails on a syntax error only: `npm run types` finds wrong types.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { transform } from '@swc/core';
import { DIST, ROOT } from '../build-stamp.mjs';
import { withoutAliases } from './imports.mjs';

/** As the options of the compiler in tsconfig.json. */
export const OPTIONS = {
  swcrc: false,
  configFile: false,
  isModule: true,
  sourceMaps: true,
  module: { type: 'es6' },
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    keepClassNames: true,
    experimental: { keepImportAttributes: true },
  },
};

/** Where the compiled form of a source is. */
export const targetOf = (source) => join(DIST, relative(ROOT, source)).replace(/\.ts$/, '.js');

/** The compiled text of a source and its source map. Rejects with the place of a syntax error. */
export async function transpile(source) {
  const sourceFileName = relative(dirname(targetOf(source)), source)
    .split(sep)
    .join('/');
  try {
    return await transform(readFileSync(source, 'utf8'), { ...OPTIONS, filename: source, sourceFileName });
  } catch (error) {
    // The place in the source; what follows are the functions of the compiler.
    throw new Error(error.message.replace(/\n+Caused by:[\s\S]*$/, ''), { cause: error });
  }
}

/** Writes a compiled module with its source map. Returns the text with the aliases. */
export function writeModule(source, { code, map }) {
  const target = targetOf(source);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(`${target}.map`, map);
  writeFileSync(target, `${withoutAliases(code, source)}\n//# sourceMappingURL=${basename(target)}.map\n`);
  return code;
}
