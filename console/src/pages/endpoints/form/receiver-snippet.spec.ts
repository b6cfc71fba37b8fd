import { describe, expect, it } from '@jest/globals';
import { receiverSnippet } from './receiver-snippet';

describe('receiverSnippet', () => {
  it.each([
    ['https://merchant.example/hooks/orders?x=1', '"/hooks/orders"'],
    ['https://merchant.example', '"/"'],
    ["https://merchant.example/a'b", `"/a'b"`],
  ])('serves the path of %s', (url, path) => {
    const snippet = receiverSnippet('https://payments.example', url);
    expect(snippet).toContain(`.post(\n    ${path},`);
    expect(snippet).toContain('https://payments.example/packages/receiver.tgz');
  });
});
