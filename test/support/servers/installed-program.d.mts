export interface WantedProgram {
  programs: string[];
  /** By package manager: `apt-get`, `apk`. */
  packages: Record<string, string>;
  needs: string;
  otherwise?: string;
}

/** The first of `programs` that there is, after an installation where that is allowed; throws one line otherwise. */
export function ensureProgram(wanted: WantedProgram): string;
