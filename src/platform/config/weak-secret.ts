const PLACEHOLDER = /change[-_ ]?(me|this|it)|placeholder|your[-_ ]?secret/i;
/** A secret of 32 random hex digits has fewer once in a billion billion times, one of 16 once in 28,000. */
const MIN_DIFFERENT = 6;

/**
 * What shows that nobody drew `secret` at random: fewer than six different characters, one piece over and over, or what
 * examples hold in place of a secret. `undefined` when nothing does, which is no proof. Does not repeat the secret.
 */
export function weaknessOf(secret: string): string | undefined {
  const different = new Set(secret).size;
  if (different < MIN_DIFFERENT) return `only ${different} different characters`;
  if (isRepetition(secret)) return 'one piece over and over';
  return PLACEHOLDER.test(secret) ? 'a placeholder' : undefined;
}

/** Whether the second half follows from the first: the text equals itself, moved by half of its length or less. */
function isRepetition(text: string): boolean {
  for (let period = 1; period <= text.length / 2; period++) {
    if (text.startsWith(text.slice(period))) return true;
  }
  return false;
}
