/** In the order in which the steps are done. */
export const STEP_KEYS = ['roll', 'redis', 'postgres', 'pooler', 'keys', 'restore', 'nightly'] as const;
export type StepKey = (typeof STEP_KEYS)[number];

/** Takes a line about what was just done. */
export type Say = (line: string) => void;
