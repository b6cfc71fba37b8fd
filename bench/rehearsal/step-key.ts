/** In the order in which the steps run. */
export const STEP_KEYS = ['roll', 'redis', 'postgres', 'pooler', 'keys', 'restore', 'nightly'] as const;
export type StepKey = (typeof STEP_KEYS)[number];

/** Logs a line about the work that was just done. */
export type Say = (line: string) => void;
