/** The name of the program. */
export function ensurePgBouncerInstalled(): string;
