/** An event in a stream of Server-Sent Events. */
export interface StreamedEvent {
  /** The position from which to continue if the stream ends here. */
  lastEventId: string;
  type: string;
  /** `null`: only the position has changed. */
  data: string | null;
}

/** Larger than any event of the service, which is at most a webhook. */
const MAX_EVENT_LENGTH = 4 * 1024 * 1024;

/**
 * Parses a stream as described in https://html.spec.whatwg.org/multipage/server-sent-events.html, one event at a time:
 * it reads only as much as the caller needs. An incomplete event at the end is dropped. Throws when the connection is
 * lost.
 */
export async function* serverSentEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<StreamedEvent, void> {
  const decoder = new TextDecoder();
  let buffered = '';
  for await (const chunk of chunks) {
    buffered += decoder.decode(chunk, { stream: true });
    const blocks = buffered.split(/\r?\n\r?\n/);
    buffered = blocks.pop()!;
    if (buffered.length > MAX_EVENT_LENGTH) throw new Error('the stream has an event that is too large to be ours');
    for (const block of blocks) {
      const event = eventOf(block);
      if (event) yield event;
    }
  }
}

/** `null` for a block without an event or a position: a comment, or the retry time. */
function eventOf(block: string): StreamedEvent | null {
  const fields = new Map<string, string[]>();
  for (const line of block.split(/\r?\n/)) {
    const [, name, value] = /^([^:]+):? ?(.*)$/s.exec(line) ?? [];
    if (name !== undefined) fields.set(name, [...(fields.get(name) ?? []), value!]);
  }
  const lastEventId = fields.get('id')?.at(-1);
  if (lastEventId === undefined) return null;
  const data = fields.get('data')?.join('\n') ?? null;
  return { lastEventId, type: fields.get('event')?.at(-1) ?? 'message', data };
}
