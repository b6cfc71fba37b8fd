const PREFIX = 'console.recent.';
const MAX = 5;

/** An object that a search has opened: its name and page. */
export interface Recent {
  label: string;
  to: string;
  search?: Record<string, string>;
}

/**
 * Objects that were opened by a search in this browser, the latest first, per merchant. Only ids are kept, no text that
 * was searched for.
 */
export function recentOf(merchantId: number): Recent[] {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + merchantId) ?? '[]') as Recent[];
  } catch {
    return [];
  }
}

export function remember(merchantId: number, { label, to, search }: Recent): void {
  // a list of payments is named after the text
  if (search && !('customer_id' in search)) return;
  const others = recentOf(merchantId).filter((match) => match.label !== label);
  const kept: Recent[] = [{ label, to, ...(search && { search }) }, ...others].slice(0, MAX);
  localStorage.setItem(PREFIX + merchantId, JSON.stringify(kept));
}

/** For all merchants. */
export function forgetRecent(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
}
