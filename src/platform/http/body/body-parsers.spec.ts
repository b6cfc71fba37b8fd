import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { fastify } from 'fastify';
import { registerBodyParsers, SMALL_BODY_BYTES, LazyBody } from './body-parsers.js';

/** Returns `request.body` for the given text. */
async function bodyOf(payload: string): Promise<unknown> {
  const server = fastify();
  registerBodyParsers(server);
  let body: unknown;
  server.post('/', (request) => {
    body = request.body;
    return {};
  });
  await server.inject({ method: 'POST', url: '/', headers: { 'content-type': 'application/json' }, payload });
  await server.close();
  return body;
}

describe('registerBodyParsers', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('parses a small body', async () => {
    expect(await bodyOf('{"a":1}')).toEqual({ a: 1 });
  });

  it('parses a large body only on demand', async () => {
    const text = JSON.stringify({ a: 'x'.repeat(SMALL_BODY_BYTES) });
    const parse = jest.spyOn(JSON, 'parse');
    const body = await bodyOf(text);
    expect(parse.mock.calls.filter(([given]) => given === text)).toEqual([]);
    expect(body).toBeInstanceOf(LazyBody);
    expect((body as LazyBody).parse()).toEqual(JSON.parse(text));
  });
});
