import { describe, expect, it } from '@jest/globals';
import { csvLine } from './csv.js';

describe('a line of CSV', () => {
  it.each([
    [[1, '49.90', '-49.90', null, 'Berlin'], '1,49.90,-49.90,,Berlin'],
    [['a "quoted", text', 'two\r\nlines'], '"a ""quoted"", text","two\r\nlines"'],
    [['=1+1', '+49', '-1-1', '@sum', '\tx', 'a=b'], "'=1+1,'+49,'-1-1,'@sum,'\tx,a=b"],
    [['=HYPERLINK("http://evil.example","x")'], `"'=HYPERLINK(""http://evil.example"",""x"")"`],
  ])('%j', (values, line) => {
    expect(csvLine(values)).toBe(`${line}\r\n`);
  });
});
