import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));

/** Same policy as the real window, so that a style or script that it would reject is rejected here too. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'nonce-aGFybmVzcw'",
  "img-src 'self' data:",
  'media-src data:',
  "font-src 'self'",
].join('; ');

/**
 * Serves the window with a fake hub in a browser: `vite --config tests/renderer/harness/harness.config.ts`.
 */
// biome-ignore lint/style/noDefaultExport: vite reads the default export
export default defineConfig({
  root,
  plugins: [react()],
  server: { fs: { allow: [fileURLToPath(new URL('../../..', import.meta.url))] } },
  build: {
    outDir: fileURLToPath(new URL('../../../.cache/harness', import.meta.url)),
    emptyOutDir: true,
    target: 'chrome130',
    chunkSizeWarningLimit: 3000,
    modulePreload: { polyfill: false },
    // Each test loads the window anew: its two hundred files would take a third of that time.
    rolldownOptions: { output: { codeSplitting: false } },
  },
  preview: {
    host: '127.0.0.1',
    // The browser keeps what it has loaded for the next page, as it does with the files of the app.
    headers: { 'Content-Security-Policy': policy, 'Cache-Control': 'max-age=86400' },
  },
});
