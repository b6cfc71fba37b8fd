/** What a form of credentials holds: the text typed for each, and which ones are to be removed. */
export interface CredentialForm {
  typed: Readonly<Record<string, string>>;
  removed: ReadonlySet<string>;
}

/**
 * What `PATCH /shops/{id}` is to merge: what was typed, `null` for what is removed. What was left empty stays as it is.
 */
export function credentialChanges({ typed, removed }: CredentialForm): Record<string, string | null> {
  const changes: Record<string, string | null> = {};
  for (const [name, text] of Object.entries(typed)) {
    // what was copied with the text around it is not meant
    if (text.trim() !== '') changes[name] = text.trim();
  }
  for (const name of removed) changes[name] = null;
  return changes;
}
