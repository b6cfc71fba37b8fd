/** The path of an installed Helm; throws an error that says how to install one. */
export function installedHelm(): string;
/** The path of a Helm, built from source if none is installed; throws like `installedHelm` without Go. */
export function ensureHelmInstalled(): string;
