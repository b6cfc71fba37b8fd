// Removes files that no process loads from the folders of the image: `node scripts/trim-image.mjs <folder> …`.
// All kinds of license files stay. If an imported file is removed, `scripts/check-image.mjs` fails, which the build runs next.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Types and TypeScript sources, source maps, documentation, caches of compilers. */
const KINDS = /\.(ts|mts|cts|map|md|markdown|flow|tsbuildinfo)$/i;
const LICENSES = /^(licen[cs]e|notice|copying|authors)/i;

/** Folders next to a package.json. Deeper folders with these names may be code. */
const FOLDERS = [
  '.github',
  '__tests__',
  'test',
  'tests',
  'example',
  'examples',
  'bench',
  'benchmark',
  'benchmarks',
  'man',
];

/** Builds for browsers, bundlers and older runtimes, which Node does not load. */
const OTHER_BUILDS = [
  '@opentelemetry/*/build/esm',
  '@opentelemetry/*/build/esnext',
  'bullmq/dist/esm',
  'class-validator/bundles',
  'class-validator/esm2015',
  'class-validator/esm5',
  'dayjs/esm',
  'libphonenumber-js/bundle',
  'luxon/build/amd',
  'luxon/build/cjs-browser',
  'luxon/build/global',
  'luxon/src',
  'rxjs/dist/bundles',
  'rxjs/dist/esm',
  'rxjs/dist/esm5',
  'rxjs/src',
  'swagger-ui-dist/swagger-ui-es-bundle-core.js',
  'swagger-ui-dist/swagger-ui-es-bundle.js',
  'typeorm/browser',
  'validator/es',
  'validator/validator.js',
  'validator/validator.min.js',
];

/** The used folders of an SDK that has a folder for each of its APIs. */
const ONLY = {
  '@adyen/api-library/lib/src/services': ['checkout', 'exception', 'resource.js'],
  '@adyen/api-library/lib/src/typings': ['checkout'],
};

function trim(folder) {
  const entries = readdirSync(folder, { withFileTypes: true });
  const isPackage = entries.some(({ name }) => name === 'package.json');
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (isPackage && FOLDERS.includes(entry.name)) rmSync(path, { recursive: true });
      else trim(path);
    } else if (isUseless(entry, path)) rmSync(path);
  }
}

/** Links point to workspaces; the link of a workspace that is not in the image is broken. */
const isUseless = (entry, path) =>
  entry.isSymbolicLink() ? !existsSync(path) : KINDS.test(entry.name) && !LICENSES.test(entry.name);

/** Paths that match the pattern; `*` matches one folder name. */
function matching(folder, [first, ...deeper]) {
  if (first === undefined) return existsSync(folder) ? [folder] : [];
  const names = first === '*' ? (existsSync(folder) ? readdirSync(folder) : []) : [first];
  return names.flatMap((name) => matching(join(folder, name), deeper));
}

function removeAllBut(folder, kept) {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) if (!kept.includes(name)) rmSync(join(folder, name), { recursive: true });
}

for (const folder of process.argv.slice(2)) {
  for (const build of OTHER_BUILDS) {
    for (const path of matching(folder, build.split('/'))) rmSync(path, { recursive: true });
  }
  for (const [path, kept] of Object.entries(ONLY)) removeAllBut(join(folder, path), kept);
  trim(folder);
}
