import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { OperationAnswer } from '../payment-provider.js';
import type { Held, ProviderFixture } from './fixture.js';

const PAUSE_MS = 25;

/** The time until a condition must hold: a minute, because a busy machine is slow. Less only where it is never to hold. */
export const patience = { ms: 60_000 };

/** Repeats `check` until it does not throw. Rejects with its last error when the patience is over. */
export async function eventually<T>(check: () => Promise<T>): Promise<T> {
  const startedAt = Date.now();
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() - startedAt > patience.ms) throw error;
      await delay(PAUSE_MS);
    }
  }
}

/** `actual` has the fields of `expected`; it may have more. */
export function hasFields(actual: unknown, expected: Record<string, unknown>): void {
  const values = (actual ?? {}) as Record<string, unknown>;
  const shown = Object.keys(expected).map((name) => [name, values[name]]);
  assert.deepEqual(Object.fromEntries(shown), expected);
}

export const isText = (value: unknown, pattern = /./): void => {
  assert.ok(typeof value === 'string' && pattern.test(value), `${String(value)} is no text like ${String(pattern)}`);
};

/** Done, or accepted without the need of a further call. */
export const isDone = ({ outcome }: OperationAnswer): void => isOneOf(outcome, ['confirmed', 'pending']);

/** Not done. A provider that answers later refuses by a notification. */
export const isNotDone = ({ outcome }: OperationAnswer): void => isOneOf(outcome, ['refused', 'pending']);

const isOneOf = (outcome: string, expected: readonly string[]): void =>
  assert.ok(expected.includes(outcome), `the outcome is ${outcome}, expected ${expected.join(' or ')}`);

/** The books have exactly these transactions under the reference, now or soon. */
export const holds = (
  fixture: ProviderFixture,
  { reference }: { reference: string },
  expected: readonly Partial<Held>[],
): Promise<void> =>
  eventually(async () => {
    const held = await fixture.held(reference);
    assert.equal(held.length, expected.length, `the provider has ${held.length} transactions under the reference`);
    for (const [index, one] of expected.entries()) hasFields(held[index], one);
  });
