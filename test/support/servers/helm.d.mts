/** The path of a Helm; `undefined` where there is none and none can be built. */
export function ensureHelmInstalled(): string | undefined;
