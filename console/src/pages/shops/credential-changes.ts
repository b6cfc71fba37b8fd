/** The input of a credentials form: the typed texts, and the credentials to remove. */
export interface CredentialForm {
  typed: Readonly<Record<string, string>>;
  removed: ReadonlySet<string>;
}

/**
 * The credentials for `PATCH /shops/{id}`: typed values, and `null` for a removal. Empty fields are omitted, so unchanged.
 */
export function credentialChanges({ typed, removed }: CredentialForm): Record<string, string | true | null> {
  const changes: Record<string, string | true | null> = {};
  for (const [name, text] of Object.entries(typed)) {
    // white space at the ends was copied by mistake
    if (text.trim() !== '') changes[name] = valueOf(text.trim());
  }
  for (const name of removed) changes[name] = null;
  return changes;
}

/** Switches, such as the sandbox's `any_token`, take `true`, not a text. No secret is this word. */
const valueOf = (text: string): string | true => text === 'true' || text;
