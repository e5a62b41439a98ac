import type { Type } from '@nestjs/common';
import { INJECTABLE_WATERMARK } from '@nestjs/common/constants.js';
import * as billing from '../billing/index.js';
import * as channels from '../channels/index.js';
import * as ledger from '../ledger/index.js';
import * as organization from '../organization/index.js';
import * as platform from '../platform/index.js';
import * as runtime from '../runtime/index.js';

/** What the areas export with `@Injectable()` are repositories. */
const isRepository = (value: unknown): value is Type =>
  typeof value === 'function' && Reflect.hasMetadata(INJECTABLE_WATERMARK, value);

/** Every repository that an area exports. A class gets it in its constructor, and no module lists it. */
export const REPOSITORIES: readonly Type[] = [billing, channels, ledger, organization, platform, runtime]
  .flatMap((area) => Object.values<unknown>(area))
  .filter(isRepository);
