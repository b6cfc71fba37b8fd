import { describe, expect, it } from '@jest/globals';
import { createLogger } from './logger.js';
import { NestLogger } from './nest-logger.js';

function logged(write: (nest: NestLogger, logger: ReturnType<typeof createLogger>) => void): Record<string, unknown>[] {
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line: string) => void lines.push(line) });
  write(new NestLogger(logger), logger);
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

function caught(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
}

describe('createLogger', () => {
  it('writes the level as a word and the time in ISO 8601', () => {
    const [line] = logged((_, logger) => logger.info({ shopId: 7 }, 'hello'));
    expect(line).toEqual({ level: 'info', time: expect.stringMatching(/^\d{4}-.*Z$/), shopId: 7, msg: 'hello' });
  });

  it('replaces values with the name of a secret', () => {
    const [line] = logged((_, logger) => logger.info({ authorization: 'Bearer x', token: 'y', clientSecret: 'z' }));
    expect(JSON.stringify(line)).not.toMatch(/Bearer x|"y"|"z"/);
  });

  it('leaves out the properties of errors, which may be row values and parameters of a database error', () => {
    const cause = Object.assign(new Error('duplicate key'), { code: '23505', detail: 'Key (email)=(a@b.c) exists' });
    const error = Object.assign(new Error('query failed', { cause }), { parameters: ['a@b.c'], query: 'INSERT' });
    const [line] = logged((nest) => nest.error({ msg: 'failed', err: error }, 'Context'));
    expect(JSON.stringify(line)).not.toContain('a@b.c');
    expect(line).toMatchObject({
      context: 'Context',
      msg: 'failed',
      err: { message: 'query failed', cause: { code: '23505' } },
    });
  });

  it.each([
    ['PostgreSQL', Object.assign(new Error('invalid input syntax for type bigint: "4111 "1111""'), { code: '22P02' })],
    ['V8', caught(() => JSON.parse('{"card":"4111 1111"}x'))],
    ['V8 about a long text', caught(() => JSON.parse(`{"card":"4111 1111", ${'"x":1, '.repeat(50)}`))],
    ['V8 about a text with quotes', caught(() => JSON.parse('\'it"s 4111\' "4111" x'))],
  ])('removes the value from message and stack of an error of %s', (_, error) => {
    const cause = new Error('outer', { cause: error });
    const text = JSON.stringify(logged((nest) => nest.error({ msg: 'failed', err: cause })));
    expect(text).not.toContain('4111');
    expect(text).toMatch(/invalid input syntax for type bigint|JSON/);
    expect(text).toContain('    at ');
  });

  it('logs only the type of a thrown value that is not an error', () => {
    const [line] = logged((_, logger) => logger.error({ err: 'a@b.c' }));
    expect(line).toMatchObject({ err: { type: 'string', message: 'no error' } });
  });

  it('stops at errors that cause each other', () => {
    const error = new Error('round');
    error.cause = error;
    expect(logged((_, logger) => logger.error({ err: error }))).toHaveLength(1);
  });
});

describe('NestLogger', () => {
  it('adds the context to every kind of message', () => {
    const lines = logged((nest) => {
      nest.log('text with %s', 'A');
      nest.warn({ msg: 'fields', laneId: 1 }, 'B');
      nest.error(new TypeError('broken'), 'C');
      nest.error('text', 'at stack', 'D');
    });
    expect(lines).toMatchObject([
      { context: 'A', msg: 'text with %s' },
      { context: 'B', msg: 'fields', laneId: 1 },
      { context: 'C', err: { type: 'TypeError', message: 'broken' } },
      { context: 'D', msg: 'text', details: ['at stack'] },
    ]);
  });

  it('leaves out reports about modules and routes', () => {
    expect(logged((nest) => nest.log('Mapped {/x, GET} route', 'RouterExplorer'))).toEqual([]);
  });
});
