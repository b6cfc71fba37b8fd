export function ensurePromtoolInstalled(): string;
