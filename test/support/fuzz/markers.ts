import { randomBytes } from 'node:crypto';

/** What a text may have been turned into on its way into a log. */
export const ENCODINGS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => encodeURIComponent(text),
  (text) => JSON.stringify(text).slice(1, -1),
  (text) => Buffer.from(text).toString('hex'),
  // what of base64 is the same wherever among its groups of three bytes the text starts
  (text) => Buffer.from(text).toString('base64').slice(0, -4),
  (text) => Buffer.from(`x${text}`).toString('base64').slice(4, -4),
  (text) => Buffer.from(`xx${text}`).toString('base64').slice(4, -4),
];

/** A shorter piece of an encoded text proves nothing. */
const MIN_LENGTH = 12;

/** Texts that are planted where they may pass through, and must not be found in the logs. */
export class Markers {
  private readonly planted = new Map<string, string>();

  get size(): number {
    return this.planted.size;
  }

  /** A new text that occurs nowhere else. */
  plant(name: string): string {
    return this.add(name, `mk${randomBytes(12).toString('hex')}`);
  }

  /** Something that is secret already, such as what the service made. */
  add(name: string, text: string): string {
    this.planted.set(`${name} ${this.planted.size}`, text);
    return text;
  }

  /** Which of them are in `logs`, each with the line that it is in. */
  leaksIn(logs: string): string[] {
    const lines = logs.split('\n');
    return [...this.planted].flatMap(([name, text]) => {
      const forms = [...new Set(ENCODINGS.map((encode) => encode(text)))].filter((form) => form.length >= MIN_LENGTH);
      if (!forms.some((form) => logs.includes(form))) return [];
      const line = lines.find((one) => forms.some((form) => one.includes(form)));
      return [`${name} (${text}): ${line?.slice(0, 600)}`];
    });
  }
}
