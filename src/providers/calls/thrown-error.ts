import { TimedOut } from '../../shared/clock.js';

/** The reason without texts of an adapter: they may contain the provider's data, or a URL with credentials. */
export function reasonOf(error: unknown): string {
  if (error instanceof TimedOut) return error.message;
  const { name, code } = (error ?? {}) as { name?: unknown; code?: unknown };
  const parts = [name, code].filter((part) => typeof part === 'string' && /^\w{1,60}$/.test(part));
  return parts.length > 0 ? parts.join(' ') : 'unknown';
}

const FRAME = /^ +at [^\n]{1,500}:\d+:\d+\)?$/m;

/** The line of the adapter that threw, without the error's text. */
export function placeOf(error: unknown): string | undefined {
  const { stack, message } = (error ?? {}) as { stack?: unknown; message?: unknown };
  if (typeof stack !== 'string' || typeof message !== 'string') return undefined;
  const start = stack.indexOf(message);
  return start < 0 ? undefined : FRAME.exec(stack.slice(start + message.length))?.[0].trim();
}
