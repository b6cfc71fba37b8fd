// Writes docs/internals/statements.sql: `npm run docs:sql`, after a build. test/integration/platform/statements-sql.spec.ts
// fails when the file is not current.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { statementsSql } from './statements-sql.mjs';

const text = await statementsSql(
  fileURLToPath(new URL('../src', import.meta.url)),
  (file) => import(new URL(`../dist/${file.replace(/\.ts$/, '.js')}`, import.meta.url).href),
);
writeFileSync(new URL('../docs/internals/statements.sql', import.meta.url), text);
