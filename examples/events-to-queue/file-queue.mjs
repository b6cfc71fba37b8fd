// A queue for trials: a file with one event a line. Replace it by your broker: see README.md.
import { open, readFile, truncate } from 'node:fs/promises';

export async function openQueue(file = process.env.QUEUE_FILE ?? 'events.jsonl') {
  // a crash may have left a part of a line, whose event is published again
  const text = await readFile(file).catch(() => Buffer.alloc(0));
  if (text.length > 0) await truncate(file, text.lastIndexOf('\n') + 1);
  const output = await open(file, 'a');
  return {
    /** Resolves when the queue has stored the event. */
    async publish(event) {
      await output.appendFile(`${JSON.stringify(event)}\n`);
      await output.datasync();
    },
  };
}
