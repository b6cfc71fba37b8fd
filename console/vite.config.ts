import { readFile, writeFile } from 'node:fs/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** What `npm run dev` asks for the API: a service that `npm start` has started. */
const API = 'http://127.0.0.1:3000';
const API_PATHS =
  '^/(audit|auth|clients|console/session|console/oidc|customers|events|flows|health|insights|metrics|payments|providers|shops|webhooks)(/|$|\\?)';

export default defineConfig({
  base: '/console/',
  plugins: [react(), compressed()],
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    // measured in the compressed size that is sent, by a test
    chunkSizeWarningLimit: 600,
    reportCompressedSize: false,
    // of the build's own parts, on a busy machine: nothing to act on
    rolldownOptions: { checks: { pluginTimings: false } },
  },
  server: { proxy: { [API_PATHS]: { target: API } } },
});

/** Each script and style sheet also compressed, once and well, as `@fastify/static` serves it. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    // of what was written: Vite fills in names until then
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
