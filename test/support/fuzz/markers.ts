import { randomBytes } from 'node:crypto';

/** Encodings that a text may have in a log. */
export const ENCODINGS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => encodeURIComponent(text),
  (text) => JSON.stringify(text).slice(1, -1),
  (text) => Buffer.from(text).toString('hex'),
  // the part of base64 that does not depend on the text's position in a group of three bytes
  (text) => Buffer.from(text).toString('base64').slice(0, -4),
  (text) => Buffer.from(`x${text}`).toString('base64').slice(4, -4),
  (text) => Buffer.from(`xx${text}`).toString('base64').slice(4, -4),
];

/** A shorter part of an encoded text could occur by chance. */
const MIN_LENGTH = 12;

/** Texts that are inserted where the service processes them, and must not appear in its logs. */
export class Markers {
  private readonly inserted = new Map<string, string>();
  /** Every created text starts with it, so that one search finds all of them. */
  private readonly start = `mk${randomBytes(8).toString('hex')}`;

  get size(): number {
    return this.inserted.size;
  }

  /** Returns a new text that occurs nowhere else. */
  create(name: string): string {
    return this.add(name, this.start + randomBytes(6).toString('hex'));
  }

  /** Adds an existing secret, such as one that the service created. */
  add(name: string, text: string): string {
    this.inserted.set(`${name} ${this.inserted.size}`, text);
    return text;
  }

  /** The markers that occur in `logs`, each with its line. */
  leaksIn(logs: string): string[] {
    const lines = logs.split('\n');
    const hasCreated = formsOf(this.start).some((form) => logs.includes(form));
    return [...this.inserted].flatMap(([name, text]) => {
      if (!hasCreated && text.startsWith(this.start)) return [];
      const forms = formsOf(text);
      if (!forms.some((form) => logs.includes(form))) return [];
      const line = lines.find((one) => forms.some((form) => one.includes(form)));
      return [`${name} (${text}): ${line?.slice(0, 600)}`];
    });
  }
}

const formsOf = (text: string): string[] =>
  [...new Set(ENCODINGS.map((encode) => encode(text)))].filter((form) => form.length >= MIN_LENGTH);
