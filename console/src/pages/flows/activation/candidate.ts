import type { Definition } from '../model/form';

/** A definition that is to become active. */
export interface Candidate {
  definition: Definition;
  /** The stored version; `undefined`: unsaved changes. */
  version: number | undefined;
  /** Whether it was active before. */
  isRetired: boolean;
}
