import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const MOST_BYTES = 60 * 1024;

describe('The bundle for browsers', () => {
  it('has at most 60 KB compressed, and imports nothing', async () => {
    const { outputFiles, metafile } = await build({
      entryPoints: [join(import.meta.dirname, 'index.ts')],
      ...{ bundle: true, minify: true, format: 'esm', platform: 'browser', target: 'es2022' },
      ...{ write: false, metafile: true, tsconfigRaw: {} },
    });
    const bytes = gzipSync(outputFiles[0]?.contents ?? new Uint8Array()).length;

    expect(bytes).toBeLessThan(MOST_BYTES);
    // A bundle without code would also be small.
    expect(bytes).toBeGreaterThan(5_000);
    expect(Object.values(metafile.outputs).flatMap(({ imports }) => imports)).toEqual([]);
    const inputs = Object.keys(metafile.inputs);
    expect(inputs.filter((name) => !name.includes('packages/sdk/src/'))).toEqual([]);
  });
});
