import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { queriedMetrics } from '../../support/observability/promql.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const runbook = read('docs/operate/runbook.md');

/** The fenced blocks of a language, without the indentation of lists. */
const blocks = (language: string): string[] =>
  [...runbook.matchAll(new RegExp(`^( *)\`\`\`${language}\\n([^]*?)\\n\\1\`\`\``, 'gm'))].map(([, , text]) => text!);

const statements = blocks('sql').flatMap((block) => block.split(/;\s*$/m).filter((text) => text.trim() !== ''));

describe('The statements of the runbook', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it.each(statements)('run on our schema and write nothing: %s', async (statement) => {
    const client = await database.pool.connect();
    try {
      await client.query('BEGIN READ ONLY');
      await expect(client.query(statement)).resolves.toBeDefined();
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  });
});

describe('The commands of the runbook', () => {
  const { paths } = JSON.parse(read('docs/openapi.json')) as { paths: Record<string, Record<string, unknown>> };
  const templates = Object.entries(paths).map(([path, methods]) => ({
    pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
    methods: Object.keys(methods).map((method) => method.toUpperCase()),
  }));
  const isOffered = (method: string, path: string): boolean =>
    templates.some(({ pattern, methods }) => pattern.test(path) && methods.includes(method));

  it('use existing routes of the API', () => {
    const named = [...runbook.matchAll(/`(GET|POST|PATCH|DELETE) (\/[^`?\s]*)/g)].map(
      ([, method, path]) => [method!, path!] as const,
    );
    // a command may continue after a backslash
    const called = [...runbook.matchAll(/\$BASE(\/[^"?\s]*)((?:\\\n|[^\n])*)/g)].map(
      ([, path, rest]) => [path === '/auth/token' || / -d /.test(rest!) ? 'POST' : 'GET', path!] as const,
    );
    expect(named.length).toBeGreaterThan(5);
    expect([...named, ...called].filter(([method, path]) => !isOffered(method, path))).toEqual([]);
  });

  it('use existing commands of the command line', () => {
    const sources = ['merchant-commands', 'migrate-command', 'secrets-commands']
      .map((name) => read(`src/cli/${name}.ts`))
      .join();
    const commands = [...runbook.matchAll(/npm run cli -- ([\w:]+)/g)].map(([, command]) => command!);
    expect(commands.filter((command) => !sources.includes(`.command('${command}')`))).toEqual([]);
  });

  it('query Prometheus in valid PromQL', () => {
    const queries = blocks('promql').flatMap((block) => block.split('\n'));
    expect(queries.length).toBeGreaterThan(10);
    for (const query of queries) expect(queriedMetrics(query)).not.toEqual([]);
  });
});
