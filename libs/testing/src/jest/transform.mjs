import { createHash } from 'node:crypto';
import { transformSync, version } from '@swc/core';
import { OPTIONS } from '../../../../scripts/compile/transpile.mjs';

const { jsc } = OPTIONS;
/** The pages of the console, which the build leaves to its bundler. */
const OF_PAGES = {
  ...OPTIONS,
  jsc: {
    ...jsc,
    parser: { ...jsc.parser, tsx: true },
    transform: { ...jsc.transform, react: { runtime: 'automatic' } },
  },
};

const optionsOf = (filename) => (filename.endsWith('.tsx') ? OF_PAGES : OPTIONS);

/** Compiles the sources for tests as the build does for programs. */
export default {
  process(source, filename) {
    return transformSync(source, { ...optionsOf(filename), filename, sourceFileName: filename });
  },

  getCacheKey(source, filename) {
    return createHash('sha1')
      .update(JSON.stringify([source, filename, optionsOf(filename), version]))
      .digest('hex');
  },
};
