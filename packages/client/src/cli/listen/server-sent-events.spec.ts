import { describe, expect, it } from '@jest/globals';
import { serverSentEvents, type StreamedEvent } from './server-sent-events.js';

const bytesOf = (text: string): Buffer => Buffer.from(text, 'utf8');

async function read(...chunks: Uint8Array[]): Promise<StreamedEvent[]> {
  const events: StreamedEvent[] = [];
  for await (const event of serverSentEvents(from(chunks))) events.push(event);
  return events;
}

async function* from(chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield await Promise.resolve(chunk);
}

describe('serverSentEvents', () => {
  it('reads the same events from chunks of any size', async () => {
    const stream = bytesOf(
      'retry: 1000\nid: a\n\nid: b\nevent: paid\ndata: {"name":"Zoë 😀"}\n\n: heartbeat\nid: c\n\n',
    );
    const whole = await read(stream);
    expect(whole).toEqual([
      { lastEventId: 'a', type: 'message', data: null },
      { lastEventId: 'b', type: 'paid', data: '{"name":"Zoë 😀"}' },
      { lastEventId: 'c', type: 'message', data: null },
    ]);
    for (const size of [1, 2, 3, 7]) {
      const chunks = Array.from({ length: Math.ceil(stream.length / size) }, (_, index) =>
        stream.subarray(index * size, (index + 1) * size),
      );
      expect(await read(...chunks)).toEqual(whole);
    }
  });

  it('removes only the first space of a field, and joins lines of data', async () => {
    expect(await read(bytesOf('id: a\r\ndata:  x\r\ndata:y\r\n\r\n'))).toEqual([
      { lastEventId: 'a', type: 'message', data: ' x\ny' },
    ]);
  });

  it('leaves out comments, and an incomplete event at the end', async () => {
    expect(await read(bytesOf(': hello\n\nid: a\ndata: 1\n\nid: b\ndata: 2\n'))).toEqual([
      { lastEventId: 'a', type: 'message', data: '1' },
    ]);
  });

  it('throws when an event does not end', async () => {
    const endless = bytesOf('x'.repeat(1024 * 1024));
    await expect(read(...Array.from({ length: 6 }, () => endless))).rejects.toThrow('too large');
  });
});
