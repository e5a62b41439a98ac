// Compiles a TypeScript file that the build omits, for the benches.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { transformSync } from '@swc/core';

const FOLDER = 'dist/test/bench';

/** Compiles one file whose imports of this project are in `dist`; returns the path of the module. */
export function compile(source) {
  const { code } = transformSync(readFileSync(source, 'utf8'), {
    swcrc: false,
    module: { type: 'es6' },
    jsc: {
      target: 'es2022',
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
      keepClassNames: true,
    },
  });
  mkdirSync(FOLDER, { recursive: true });
  const target = `${FOLDER}/${basename(source, '.ts')}.mjs`;
  const imports = code
    .replaceAll('../../../dist/', '../../')
    .replaceAll(/'@libs\/([a-z-]+)'/g, "'../../libs/$1/src/index.js'");
  writeFileSync(target, imports);
  return target;
}
