import react from '@vitejs/plugin-react';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  base: '/console/',
  root: at('.'),
  plugins: [react()],
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
