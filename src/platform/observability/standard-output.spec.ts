import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createLogger } from './logger.js';
import { StandardOutput } from './standard-output.js';

describe('StandardOutput', () => {
  let writes: string[];
  let logger: ReturnType<typeof createLogger>;
  let output: StandardOutput;

  beforeEach(() => {
    jest.useFakeTimers();
    writes = [];
    output = new StandardOutput({ write: (text) => void writes.push(text), flushSync: () => undefined });
    logger = createLogger('info', output);
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const written = (): string[] =>
    writes.flatMap((text) => text.trim().split('\n')).map((line) => (JSON.parse(line) as { msg: string }).msg);

  it('writes concurrent lines together, in their order', () => {
    logger.info('one');
    logger.info('two');
    expect(writes).toEqual([]);
    jest.runOnlyPendingTimers();
    expect(writes).toHaveLength(1);
    expect(written()).toEqual(['one', 'two']);
  });

  it('writes a warning at once, after the lines before it', () => {
    logger.info('one');
    logger.warn('two');
    expect(written()).toEqual(['one', 'two']);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('collects lines again after a warning', () => {
    logger.warn('one');
    logger.info('two');
    expect(written()).toEqual(['one']);
    jest.runOnlyPendingTimers();
    expect(written()).toEqual(['one', 'two']);
  });

  it('keeps a limited number of lines', () => {
    const line = 'x'.repeat(1_000);
    for (let count = 0; count < 70; count++) logger.info(line);
    expect(written()).not.toEqual([]);
  });

  it('writes all remaining lines when the process exits', () => {
    logger.info('one');
    output.flushSync();
    expect(written()).toEqual(['one']);
  });
});
