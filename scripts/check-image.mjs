// Loads every package that dist imports, also lazily, and fails if a package or one of its files is missing. Runs in the folder
// of the image, after `scripts/trim-image.mjs`.
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
