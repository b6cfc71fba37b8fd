import { createHash } from 'node:crypto';
import type { FlowDefinition, Rule } from '@payment-orchestrator/routing/definition/definition';
import { canonicalJson } from '../../shared/json.js';

/** The key of the hits of a flow's default. */
const DEFAULT_KEY = 'default';

const KEY_LENGTH = 16;

/** The objects of a version are cached with the version, so each key is computed once. */
const keys = new WeakMap<Rule, string>();

/**
 * The key that a rule's hits are counted under: a hash of its JSON. It stays the same in later versions, at any place.
 * An edited rule has another key. The order of fields and the name do not matter.
 */
export function ruleKey(rule: Rule): string {
  const known = keys.get(rule);
  if (known !== undefined) return known;
  const { name: _, ...content } = rule;
  const key = createHash('sha256').update(canonicalJson(content)).digest('base64url').slice(0, KEY_LENGTH);
  keys.set(rule, key);
  return key;
}

/** The key of the rule that decided; `null`: the flow has no rules. */
export function decidingKey({ rules = [] }: FlowDefinition, rule: number | 'default' | undefined): string | null {
  if (rule === undefined) return null;
  return rule === 'default' ? DEFAULT_KEY : ruleKey(rules[rule]!);
}
