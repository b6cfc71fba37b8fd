import { readFile, writeFile } from 'node:fs/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** The API for `npm run dev`: a service that was started with `npm start`. */
const API = 'http://127.0.0.1:3000';
const API_PATHS =
  '^/(audit|auth|clients|console/session|console/oidc|customers|disputes|events|flows|health|insights|metrics|payments|providers|refunds|reports|shops|webhooks)(/|$|\\?)';

export default defineConfig({
  base: '/console/',
  plugins: [react(), compressed()],
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    // a test limits the compressed size instead
    chunkSizeWarningLimit: 600,
    reportCompressedSize: false,
    // timings of build plugins on a busy machine need no action
    rolldownOptions: { checks: { pluginTimings: false } },
  },
  server: { proxy: { [API_PATHS]: { target: API } } },
});

/** Writes each script and style sheet also compressed with gzip and Brotli, for `@fastify/static`. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    // after the write: Vite fills in file names until then
    async writeBundle({ dir }, bundle) {
      const names = Object.keys(bundle).filter((name) => /\.(js|css|svg)$/.test(name));
      await Promise.all(
        names.map(async (name) => {
          const file = `${dir}/${name}`;
          const bytes = await readFile(file);
          await writeFile(`${file}.gz`, gzipSync(bytes, { level: 9 }));
          await writeFile(`${file}.br`, brotliCompressSync(bytes));
        }),
      );
    },
  };
}
