import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { DIST, ROOT } from '../build-stamp.mjs';
import { generateIfStale } from '../generate-if-stale.mjs';

const OUTPUT = join(DIST, '.command-line.cjs');

/** The help and the tools of the commands for users, with the clients of the API descriptions in `contract/`. */
export async function commandLineFiles() {
  await generateIfStale();
  await build({
    entryPoints: [join(ROOT, 'packages/cli/test/reviewed-texts.ts')],
    ...{ outfile: OUTPUT, bundle: true, platform: 'node', format: 'cjs', logLevel: 'warning' },
    external: ['@napi-rs/keyring'],
  });
  try {
    const { helpText, toolsText } = await import(pathToFileURL(OUTPUT).href);
    return { 'cli-help.txt': await helpText(), 'mcp-tools.txt': await toolsText() };
  } finally {
    rmSync(OUTPUT);
  }
}
