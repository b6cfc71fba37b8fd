/**
 * Parses `text` as a URL; returns `undefined` if it is none. Replaces `URL.canParse`: on Node 20 that returns `false` for
 * a text with a character such as `ü` after V8 has optimised it.
 */
export function parsedUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
