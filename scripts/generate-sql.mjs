// Writes docs/internals/statements.md: `npm run docs:sql`, after a build. test/integration/platform/sql-page.spec.ts tells when the page is not current.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import prettier from 'prettier';
import { sqlPage } from './sql-page.mjs';

const page = new URL('../docs/internals/statements.md', import.meta.url);
const text = await sqlPage(
  fileURLToPath(new URL('../src', import.meta.url)),
  (file) => import(new URL(`../dist/${file.replace(/\.ts$/, '.js')}`, import.meta.url).href),
);
const options = await prettier.resolveConfig(page);
writeFileSync(page, await prettier.format(text, { ...options, parser: 'markdown' }));
