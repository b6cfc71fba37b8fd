import { AssertionError } from 'node:assert/strict';
import { inspect } from 'node:util';
import type { ProviderFixture } from './fixture.js';

const PAGE = 'docs/integrate/write-a-connector.md';

/** The paragraphs of the page, by anchor. */
export type Paragraph =
  | 'the-module'
  | 'capabilities'
  | 'amounts'
  | 'outcomes-and-errors'
  | 'idempotency-and-recovery'
  | 'next-actions'
  | 'notifications'
  | 'check';

/** A connector did in a situation what the port does not allow. */
export class Finding extends Error {
  constructor(
    readonly situation: string,
    readonly expected: string,
    readonly got: string,
    readonly paragraph: Paragraph,
  ) {
    super(`${situation}\n  expected: ${expected}\n  got: ${got}\n  see: ${PAGE}#${paragraph}`);
    this.name = 'Finding';
  }
}

/** Thrown by checks: the values, without the situation. */
export class Unexpected extends Error {
  constructor(
    readonly expected: string,
    readonly got: unknown,
    /** A detail of the situation, such as the answer that was played. */
    readonly detail = '',
  ) {
    super(`expected: ${expected}; got: ${shown(got)}`);
  }
}

/** A check of a situation; it uses payments of its own. */
export type Check = (fixture: ProviderFixture) => void | Promise<void>;

/** A row of the suite's table. */
export interface Situation {
  name: string;
  paragraph: Paragraph;
  check: Check;
}

/** Situations of one paragraph. */
export const under = (paragraph: Paragraph, checks: Readonly<Record<string, Check>>): Situation[] =>
  Object.entries(checks).map(([name, check]) => ({ name, paragraph, check }));

/** Converts what a check has thrown. */
export function findingOf({ name, paragraph }: Situation, thrown: unknown): Finding {
  if (thrown instanceof Finding) return thrown;
  if (thrown instanceof Unexpected) {
    const situation = thrown.detail === '' ? name : `${name}: ${thrown.detail}`;
    return new Finding(situation, thrown.expected, shown(thrown.got), paragraph);
  }
  if (thrown instanceof AssertionError) {
    const hasValues = !thrown.generatedMessage && thrown.operator === '==';
    return hasValues
      ? new Finding(name, thrown.message, 'it is not so', paragraph)
      : new Finding(name, shown(thrown.expected), shown(thrown.actual), paragraph);
  }
  return new Finding(name, 'no error', shown(thrown), paragraph);
}

export function shown(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Error) return `an error (${value.name}: ${value.message.split('\n')[0]})`;
  return inspect(value, { depth: 4, breakLength: Infinity }).slice(0, 1_000);
}
