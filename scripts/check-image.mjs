// Loads every package that a module of dist imports, lazily or not, and fails when one of them, or something that it needs,
// is not there: run in the folder that goes into the image, after `scripts/trim-image.mjs`.
import { readdirSync, readFileSync } from 'node:fs';

const IMPORTS = /\b(?:from |import |import\()'((?:@[\w.-]+\/)?\w[\w.-]*(?:\/[\w./-]+)?)'/g;

const dist = new URL('../dist/', import.meta.url);
const texts = readdirSync(dist, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.js'))
  .map((name) => readFileSync(new URL(name, dist), 'utf8'));
const names = new Set(texts.flatMap((text) => [...text.matchAll(IMPORTS)].map(([, name]) => name)));

for (const name of names) {
  await import(name).catch((error) => {
    console.error(`${name}: ${error.message}`);
    process.exitCode = 1;
  });
}
