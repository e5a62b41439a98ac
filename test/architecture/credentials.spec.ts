import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, sourcesUnder } from './sources/sources.js';

const READS =
  /headers\[API_KEY_HEADER\]|headers\.cookie\b|headers\[['"](cookie|ld-api-key)['"]\]|\bsessionCookie\(|\.(get|header)\(['"](cookie|ld-api-key)/i;
const STRATEGIES = 'libs/http/src/access/strategies/';
/** Ends the session that a browser has had before it signs in or out. It authenticates nobody. */
const SIGN_IN = 'apps/main-api/src/account/client.decorator.ts';

describe('The header of keys and the cookie of sessions', () => {
  it('are read by the strategies of passport only', () => {
    const readers = sourcesUnder('apps', 'libs/http', 'libs/access').filter((path) =>
      READS.test(readFileSync(join(ROOT, path), 'utf8')),
    );

    expect(readers.filter((path) => !path.startsWith(STRATEGIES))).toEqual([SIGN_IN]);
    expect(readers.length).toBeGreaterThan(2);
  });
});
