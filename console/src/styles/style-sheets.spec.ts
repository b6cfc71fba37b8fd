import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const source = join(process.cwd(), 'console', 'src');
const sheets = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.css'));

/** Classes that a rule of the sheet is about, whatever they stand in. */
const classesOf = (sheet: string): string[] =>
  [...readFileSync(join(source, sheet), 'utf8').matchAll(/^\.([\w-]+)(?= \{|,$)/gm)].map(([, name]) => name!);

describe('style sheets of the console', () => {
  it('name a class in one of them alone: that of a page that was left goes on applying to the others', () => {
    const places = new Map<string, Set<string>>();
    for (const sheet of sheets)
      for (const name of classesOf(sheet)) places.set(name, (places.get(name) ?? new Set()).add(sheet));
    expect(places.size).toBeGreaterThan(100);
    expect([...places].filter(([, { size }]) => size > 1)).toEqual([]);
  });
});
