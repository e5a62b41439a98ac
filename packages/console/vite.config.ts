import react from '@vitejs/plugin-react';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { guides } from '../../scripts/documents/guides.mjs';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Names the modules of the bundle, one a line, in a file: a release names their packages (scripts/compile/build-console.mjs). */
const modulesIn = (file: string): Plugin => ({
  name: 'landlord-modules',
  generateBundle(_, bundle) {
    const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
    const modules = new Set(chunks.flatMap(({ moduleIds }) => moduleIds));
    writeFileSync(file, [...modules].sort().join('\n'));
  },
});
/** The guides, which the main API serves (scripts/documents/guides.mjs). */
const guidePages = (): Plugin => ({
  name: 'landlord-guides',
  generateBundle() {
    for (const { name, html } of guides())
      this.emitFile({ type: 'asset', fileName: `guides/${name}.html`, source: html });
  },
});
const { CONSOLE_MODULES } = process.env;

export default defineConfig({
  base: '/console/',
  root: at('.'),
  plugins: [react(), guidePages(), ...(CONSOLE_MODULES === undefined ? [] : [modulesIn(CONSOLE_MODULES)])],
  resolve: { alias: { '@landlord/sdk': at('../sdk/src/index.ts') } },
  build: {
    outDir: at('../../dist/console'),
    emptyOutDir: true,
    // The policy of the page allows no data: scripts and no inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: 'manifest.json',
    reportCompressedSize: false,
    target: 'es2023',
  },
});
