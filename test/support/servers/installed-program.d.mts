export interface WantedProgram {
  programs: string[];
  /** By package manager: `apt-get`, `apk`. */
  packages: Record<string, string>;
  needs: string;
  otherwise?: string;
}

/**
 * The first installed program of `programs`, after an installation where that is allowed; otherwise throws one line.
 */
export function ensureProgram(wanted: WantedProgram): string;
