import { type Scope, SCOPES, sortScopes } from '../access/scopes.js';
import { CommandError } from './terminal.js';

const MAX_NAME_LENGTH = 200;

/** A name of a merchant or a client, without the spaces around it. */
export function parseName(option: string, text: string): string {
  const name = text.trim();
  if (name.length >= 1 && name.length <= MAX_NAME_LENGTH && !/\p{Cc}/u.test(name)) return name;
  throw new CommandError(`${option}: takes 1 to ${MAX_NAME_LENGTH} characters without control characters`);
}

/** A merchant's id; `undefined` when `text` is not all digits, and so no id. */
export function parseMerchantId(text: string): number | undefined {
  if (!/^\d+$/.test(text)) return undefined;
  const id = Number(text);
  if (Number.isSafeInteger(id) && id > 0) return id;
  throw new CommandError(`--merchant: got ${text}, takes the id of a merchant`);
}

/** Scopes after commas or spaces, or `all`. */
export function parseScopes(text: string): Scope[] {
  if (text.trim() === 'all') return [...SCOPES];
  const { known, unknown } = sortScopes(text.split(/[\s,]+/).filter((name) => name !== ''));
  if (unknown.length === 0 && known.length > 0) return known;
  const got = unknown.length > 0 ? `'${unknown[0]}'` : 'nothing';
  throw new CommandError(`--scopes: got ${got}, takes all, or any of ${SCOPES.join(',')}`);
}
