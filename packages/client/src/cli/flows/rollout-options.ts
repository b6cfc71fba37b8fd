import { isDeepStrictEqual } from 'node:util';
import { conditionErrors, withoutNulls } from '@payment-orchestrator/routing/definition/condition-errors';
import { CommandError } from '../terminal.js';
import type { Fields } from './named-definition.js';

/** The options of `apply` for a rollout, as typed. */
export interface TypedRollout {
  percent?: string;
  key?: string;
  when?: string;
  maxDropPoints?: string;
  minPayments?: string;
  confidence?: string;
}

/** Which payments a rollout gets, and when it is aborted, as the API takes and answers it. */
export interface RolloutTerms {
  key: string;
  /** Absent or `null`: all payments take part. */
  when?: Fields | null;
  /** Absent or `null`: only a person ends the rollout. */
  guardrail?: { max_drop_points: number; min_payments: number; confidence: number } | null;
}

export interface RolloutOptions extends RolloutTerms {
  percent: number;
}

/** The options that need another one. Without it they would have no effect, and an activation would reach all payments. */
const NEEDS = {
  key: ['--key', 'percent', '--percent'],
  when: ['--when', 'percent', '--percent'],
  maxDropPoints: ['--max-drop-points', 'percent', '--percent'],
  minPayments: ['--min-payments', 'maxDropPoints', '--max-drop-points'],
  confidence: ['--confidence', 'maxDropPoints', '--max-drop-points'],
} as const;

/** The rollout that the options describe; `undefined`: an activation. Throws a `CommandError` that names the option. */
export function parseRollout(typed: TypedRollout): RolloutOptions | undefined {
  for (const [name, [option, needed, neededOption]] of Object.entries(NEEDS)) {
    const text = typed[name as keyof typeof NEEDS];
    if (text !== undefined && typed[needed] === undefined)
      throw new CommandError(`${option}: got '${text}' without ${neededOption}, takes both`);
  }
  const { percent, key = 'payment', when, maxDropPoints, minPayments, confidence } = typed;
  if (percent === undefined) return undefined;
  return {
    percent: parsePercent(percent),
    key,
    ...(when !== undefined && { when: parseCondition(when) }),
    ...(maxDropPoints !== undefined && {
      // bounds and defaults of the API
      guardrail: {
        max_drop_points: parseNumber('--max-drop-points', maxDropPoints, 0.1, 50),
        min_payments: parseNumber('--min-payments', minPayments ?? '100', 20, 1_000_000_000, 'a whole number'),
        confidence: parseNumber('--confidence', confidence ?? '0.95', 0.8, 0.999),
      },
    }),
  };
}

function parsePercent(text: string): number {
  const percent = Number(text);
  if (/^\d+(\.\d{1,2})?$/.test(text) && percent > 0 && percent <= 100) return percent;
  throw new CommandError(`--percent: got '${text}', takes a number up to 100 with at most two decimals`);
}

function parseNumber(option: string, text: string, least: number, most: number, kind = 'a number'): number {
  const value = Number(text);
  const pattern = kind === 'a number' ? /^\d+(\.\d+)?$/ : /^\d+$/;
  if (pattern.test(text) && value >= least && value <= most) return value;
  throw new CommandError(`${option}: got '${text}', takes ${kind} from ${least} to ${most}`);
}

function parseCondition(text: string): Fields {
  const condition = withoutNulls(jsonOf(text));
  const errors = conditionErrors(condition, 'when').map(({ field, message }) => `${field} ${message}`);
  if (errors.length === 0) return condition as Fields;
  const takes = `takes a condition of a rule as JSON, such as {"country":{"equals":"DE"}}`;
  throw new CommandError(`--when: got '${text}', ${takes}: ${errors.join('; ')}`);
}

/** `undefined` is no condition. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether two rollouts differ at most in their percent. A condition without a test holds for all payments. */
export const isSameRollout = (one: RolloutTerms, other: RolloutTerms): boolean =>
  isDeepStrictEqual(comparable(one), comparable(other));

const comparable = ({ key, when, guardrail }: RolloutTerms) => [key, when ?? {}, guardrail ?? null];

/** The options that describe a rollout, without its percent. */
export function optionsText({ key, when, guardrail }: RolloutTerms): string {
  return [
    `--key ${key}`,
    ...(when ? [`--when '${JSON.stringify(when).replaceAll("'", String.raw`'\''`)}'`] : []),
    ...(guardrail
      ? [
          `--max-drop-points ${guardrail.max_drop_points}`,
          `--min-payments ${guardrail.min_payments}`,
          `--confidence ${guardrail.confidence}`,
        ]
      : []),
  ].join(' ');
}

/** A rollout that runs, in words. */
export const rolloutText = ({ version, percent }: { version: number; percent: number }): string =>
  `version ${version} is being rolled out to ${percent} %`;
