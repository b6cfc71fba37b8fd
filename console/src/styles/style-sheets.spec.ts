import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const source = join(process.cwd(), 'console', 'src');
const sheets = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.css'));

/** The classes that the rules of the sheet are about. */
const classesOf = (sheet: string): string[] =>
  [...readFileSync(join(source, sheet), 'utf8').matchAll(/^\.([\w-]+)(?= \{|,$)/gm)].map(([, name]) => name!);

describe('style sheets of the console', () => {
  it('define each class in one sheet only, because the sheet of a page stays loaded on the pages after it', () => {
    const places = new Map<string, Set<string>>();
    for (const sheet of sheets)
      for (const name of classesOf(sheet)) places.set(name, (places.get(name) ?? new Set()).add(sheet));
    expect(places.size).toBeGreaterThan(100);
    expect([...places].filter(([, { size }]) => size > 1)).toEqual([]);
  });
});
