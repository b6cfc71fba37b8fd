/** The path of a Helm; `undefined` if none is installed and none can be built. */
export function ensureHelmInstalled(): string | undefined;
