// The Compose file, which needs the image and no checkout.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../build-stamp.mjs';

export const COMPOSE = { name: 'compose', make };

/** It contains no foreign code, so it has no list of parts. The images of PostgreSQL and Redis are their makers'. */
function make({ target }) {
  cpSync(join(ROOT, 'docker/compose.yml'), join(target, 'compose.yml'));
  return [];
}
