/** The input of a credentials form: the typed texts, and the credentials to remove. */
export interface CredentialForm {
  typed: Readonly<Record<string, string>>;
  removed: ReadonlySet<string>;
}

/**
 * The credentials for `PATCH /shops/{id}`: typed texts, and `null` for a removal. Empty fields are omitted, so unchanged.
 */
export function credentialChanges({ typed, removed }: CredentialForm): Record<string, string | null> {
  const changes: Record<string, string | null> = {};
  for (const [name, text] of Object.entries(typed)) {
    // white space at the ends was copied by mistake
    if (text.trim() !== '') changes[name] = text.trim();
  }
  for (const name of removed) changes[name] = null;
  return changes;
}
