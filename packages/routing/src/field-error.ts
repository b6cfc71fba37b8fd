/** Why a value that a caller gave is invalid. */
export interface FieldError {
  /** Its path, such as `shops[0].weight`. */
  field: string;
  /** The end of a sentence that begins with the path. */
  message: string;
}

/** Whether a parsed value is a JSON object. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
