import base from '../../libs/testing/src/jest/transform.mjs';
import { mutated } from './switch.mjs';

/** Compiles the source of one file with the mutant of this process. The file on the disk stays as it is. */
export default {
  process: (source, filename) => base.process(mutated(source, filename), filename),
  getCacheKey: (source, filename) => base.getCacheKey(mutated(source, filename), filename),
};
