import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const SCRIPT = resolve('scripts/check-structure.mjs');
/** Files with few lines are a finding of their own. */
const LINES = Array.from({ length: 70 }, (_, index) => `// line ${index}`).join('\n');

const SOUND = {
  'tsconfig.json': '{ "compilerOptions": { "module": "nodenext", "moduleResolution": "nodenext" } }',
  'docs/internals/architecture.md': `# A

## Tables and who writes them

| Table | Contains | Written by |
| ----- | -------- | ---------- |
| \`shops\`, \`shop_outages\` | accounts | \`shops\` (API) |
| \`payments\` | payments | \`payments/store\` |
| \`due_work\` | due times | \`platform/due-work\` |

## Folders
`,
  'src/schema/shops.ts': 'export const UP = `CREATE TABLE shops (id bigint); CREATE TABLE lanes (id bigint)`;',
  'src/shared/relations.ts': `export const SHOPS = '(SELECT id FROM shops)';`,
  'src/shops/shops.queries.ts': 'export const FIND = `SELECT id FROM shops JOIN shop_outages USING (id)`;',
  'src/payments/payments.module.ts': `import { LIST } from './store/payments.queries.js';\nexport const MODULE = LIST;`,
  'src/payments/store/payments.queries.ts': `import { SHOPS } from '../../shared/relations.js';
export const LIST = \`SELECT FROM payments p, due_work d JOIN \${SHOPS} s ON true\`;`,
  'src/webhooks/engine/delivery.ts': 'export const DELIVERY = 1;',
};

describe('the check of the structure', () => {
  let root: string;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'structure-'));
  });
  afterEach(() => rm(root, { recursive: true }));

  async function checked(planted: Record<string, string> = {}): Promise<{ code: number; findings: string[] }> {
    for (const [name, text] of Object.entries({ ...SOUND, ...planted })) {
      const path = join(root, name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, name.endsWith('.ts') ? `${text}\n${LINES}\n` : text);
    }
    const { code, output } = await new Promise<{ code: number; output: string }>((done) => {
      const run = execFile(process.execPath, [SCRIPT, root], (error, stdout, stderr) =>
        done({ code: error ? (run.exitCode ?? 1) : 0, output: error && !stdout ? stderr : stdout }),
      );
    });
    // figures are aligned, findings are indented
    return { code, findings: output.split('\n').filter((line) => /^ {2}\S/.test(line) && !/ {3}\d+ {2}/.test(line)) };
  }

  it('passes a sound tree', async () => {
    expect(await checked()).toEqual({ code: 0, findings: [] });
  });

  it('finds a subfolder that imports its folder', async () => {
    const planted = {
      'src/payments/rows.ts': 'export const ROWS = 1;',
      'src/payments/store/payments.queries.ts': `import { ROWS } from '../rows.js';\nexport const LIST = ROWS;`,
    };
    expect(await checked(planted)).toEqual({ code: 1, findings: ['  src/payments ↔ src/payments/store'] });
  });

  it('finds the tables of another feature in statements', async () => {
    const statements = [
      ['join', '`SELECT FROM payments p JOIN shops s ON true`', 'shops'],
      ['list', '`SELECT FROM payments p, shops s`', 'shops'],
      ['subquery', '`SELECT EXISTS (SELECT FROM shop_outages WHERE id = 1)`', 'shop_outages'],
      ['write', '`INSERT INTO shops (id) VALUES (1)`', 'shops'],
      ['part', `'shops s WHERE s.id = p.shop_id'`, 'shops'],
      ['search', `searchByTime('payments.shops', 'shops')`, 'shops'],
    ] as const;
    const fileOf = (name: string): string => `src/payments/store/${name}.queries.ts`;
    const planted = statements.map(([name, statement]) => [fileOf(name), `export const LIST = ${statement};`]);
    const findings = statements.map(([name, , table]) => `  ${fileOf(name)}: ${table} of shops`).sort();
    expect(await checked(Object.fromEntries(planted) as Record<string, string>)).toEqual({ code: 1, findings });
  });

  it('finds names of statements that do not begin with their feature', async () => {
    const file = 'src/webhooks/engine/delivery.ts';
    const planted = ["'find_delivery'", '`delivery_${1}`'].map(
      (name, index) => `export const S${index} = { name: ${name},\n  text: 'SELECT 1' };`,
    );
    const findings = ['find_delivery', 'delivery_'].map((name) => `  ${file}: ${name}`);
    expect(await checked({ [file]: planted.join('\n') })).toEqual({ code: 1, findings });
  });

  it('finds a table without an owner', async () => {
    const planted = { 'src/webhooks/engine/delivery.ts': 'export const LANES = `SELECT id FROM lanes`;' };
    expect(await checked(planted)).toEqual({ code: 1, findings: ['  lanes'] });
  });
});
