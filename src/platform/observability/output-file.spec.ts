import fs, { closeSync, openSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { OutputFile } from './output-file.js';

type System = NonNullable<ConstructorParameters<typeof OutputFile>[1]>;

describe('OutputFile', () => {
  let written: string;
  let fault: string | undefined;
  let output: OutputFile;

  const failure = (): Error => Object.assign(new Error(fault), { code: fault });
  const write = ((_fd: number, bytes: Buffer, done: (error: Error | null, count: number) => void) => {
    if (fault === undefined) written += bytes.toString();
    done(fault === undefined ? null : failure(), fault === undefined ? bytes.length : 0);
  }) as unknown as System['write'];
  const writeSync = ((_fd: number, bytes: Buffer) => {
    if (fault !== undefined) throw failure();
    written += bytes.toString();
    return bytes.length;
  }) as unknown as System['writeSync'];

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['performance'] });
    [written, fault] = ['', undefined];
    output = new OutputFile(1, { write, writeSync });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it.each(['ENOSPC', 'EIO', 'EAGAIN'])('writes lines again that failed with %s', (code) => {
    fault = code;
    output.write('one\n');
    output.write('two\n');
    expect(written).toBe('');
    fault = undefined;
    jest.runOnlyPendingTimers();
    expect(written).toBe('one\ntwo\n');
  });

  it('keeps a limited number of lines, and logs how many were left out and why', () => {
    fault = 'ENOSPC';
    const line = `${'x'.repeat(1_023)}\n`;
    for (let count = 0; count < 5_000; count++) output.write(line);
    fault = undefined;
    jest.runOnlyPendingTimers();
    output.write('next\n');
    const lines = written.trimEnd().split('\n');
    const gap = JSON.parse(lines.at(-2)!) as { lines: number };
    expect(gap).toMatchObject({ level: 'warn', code: 'ENOSPC' });
    expect([lines.length - 2 + gap.lines, lines.at(-1)]).toEqual([5_000, 'next']);
  });

  it('writes nothing once its reader is gone', () => {
    fault = 'EPIPE';
    output.write('one\n');
    fault = undefined;
    output.write('two\n');
    output.flushSync();
    expect(written).toBe('');
  });

  it('drops unwritten lines at the end when the reader does not read', () => {
    fault = 'EAGAIN';
    output.write('one\n');
    output.flushSync();
    expect(written).toBe('');
  });

  it('throws nothing when the disk is full at the end of the process', async () => {
    const fd = openSync('/dev/full', 'w');
    let full: OutputFile | undefined;
    await new Promise<void>((refused) => {
      const writeReal = ((to: number, bytes: Buffer, done: (error: Error | null, count: number) => void) =>
        fs.write(to, bytes, (error, count) => {
          done(error, count);
          refused();
        })) as unknown as System['write'];
      full = new OutputFile(fd, { write: writeReal, writeSync: fs.writeSync });
      full.write('one\n');
    });
    expect(() => full!.flushSync()).not.toThrow();
    // it now waits for a timer of the test, and never writes to the next file with this descriptor
    closeSync(fd);
  });
});
