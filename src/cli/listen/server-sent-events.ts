/** What a stream of Server-Sent Events says. */
export interface StreamedEvent {
  /** Where to go on from, if the stream ends here. */
  lastEventId: string;
  type: string;
  /** `null`: only the place has changed. */
  data: string | null;
}

/** An event is a payment's webhook at most; more is no stream of ours. */
const MAX_EVENT_LENGTH = 4 * 1024 * 1024;

/**
 * Reads a stream as https://html.spec.whatwg.org/multipage/server-sent-events.html says, one event at a time: what is not
 * asked for is not read. An event that the stream breaks off in is dropped. Throws when the connection is lost.
 */
export async function* serverSentEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<StreamedEvent, void> {
  const decoder = new TextDecoder();
  let buffered = '';
  for await (const chunk of chunks) {
    buffered += decoder.decode(chunk, { stream: true });
    const blocks = buffered.split(/\r?\n\r?\n/);
    buffered = blocks.pop()!;
    if (buffered.length > MAX_EVENT_LENGTH) throw new Error('the stream holds an event beyond any size of ours');
    for (const block of blocks) {
      const event = eventOf(block);
      if (event) yield event;
    }
  }
}

/** `null` for what is neither an event nor tells a place: a comment, or the time to wait before coming again. */
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
