// npm run golden:iggy: writes the defaults of a release of iggy from what an unmodified server reports (IGGY_SERVER_BIN).
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { iggyRelease, startIggy } from '../../libs/testing/src/iggy/iggy-start.mjs';
import { ROOT } from '../build-stamp.mjs';

const binary = process.env.IGGY_SERVER_BIN;
if (!binary) {
  console.error('Set IGGY_SERVER_BIN to the path of an unmodified iggy-server.');
  process.exit(1);
}
const release = iggyRelease(binary);
/** The stable releases of a line share a table. A pre-release has its own. */
const line = /^\d+\.\d+\.\d+$/.test(release) ? release.replace(/\.\d+$/, '') : release;
const { started, report, output } = await startIggy(binary, {});
if (!started) {
  console.error(`iggy-server ${release} did not start:\n${output}`);
  process.exit(1);
}
/** The server reports the ports that it got. They differ at each start. */
const defaults = Object.fromEntries(
  Object.entries(report).map(([key, value]) => [
    key,
    key.endsWith('.address') ? String(value).replace(/:\d+$/, ':0') : value,
  ]),
);
const path = join(ROOT, `libs/broker-config/src/iggy/iggy-${line}-defaults.ts`);
const name = `IGGY_${line.toUpperCase().replace(/\W/g, '_')}_DEFAULTS`;
const text = `/**
 * The configuration that iggy-server ${release} reports after a start without a configuration of its own, on free ports.
 * Written by \`npm run golden:iggy\`.
 */
export const ${name} = ${JSON.stringify(defaults)} as const;
`;
writeFileSync(path, await format(text, { ...(await resolveConfig(path)), parser: 'typescript' }));
console.log(`${Object.keys(defaults).length} keys of iggy-server ${release}: ${path}`);
