import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { statementsSql } from '../../../scripts/statements-sql.mjs';

const ROOT = new URL('../../../', import.meta.url);
const load = (file: string) => import(new URL(`src/${file}`, ROOT).href) as Promise<object>;

describe('docs/internals/statements.sql', () => {
  it('contains every statement that is composed from several files (`npm run docs:sql` updates it)', async () => {
    const generated = await statementsSql(fileURLToPath(new URL('src', ROOT)), load);
    expect(generated).toContain('\n-- payments.write_statuses\n');
    expect(generated).toContain('\n-- webhooks.claim_2026-01-31\n');
    expect(readFileSync(new URL('docs/internals/statements.sql', ROOT), 'utf8')).toBe(generated);
  });
});
