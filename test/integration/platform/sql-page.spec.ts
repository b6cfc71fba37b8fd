import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { sqlPage } from '../../../scripts/sql-page.mjs';

const ROOT = new URL('../../../', import.meta.url);
const load = (file: string) => import(new URL(`src/${file}`, ROOT).href) as Promise<object>;

/** The page without its line breaks and escapes, which prettier sets. */
const plain = (page: string): string => page.replace(/\\/g, '').replace(/\s+/g, ' ').trim();

describe('docs/internals/statements.md', () => {
  it('has every statement that is put together from several files: otherwise `npm run docs:sql`', async () => {
    const generated = await sqlPage(fileURLToPath(new URL('src', ROOT)), load);
    expect(generated).toContain('## payments.write_statuses');
    expect(generated).toContain('## webhooks.claim_2026-01-31');
    expect(plain(readFileSync(new URL('docs/internals/statements.md', ROOT), 'utf8'))).toBe(plain(generated));
  });
});
