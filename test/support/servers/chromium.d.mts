export function ensureChromiumInstalled(): string;
