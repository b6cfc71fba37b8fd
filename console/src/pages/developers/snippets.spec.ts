import { expect, it } from '@jest/globals';
import { snippets } from './snippets';

it('snippets name the service and the client, and read the secret from the environment', () => {
  const texts = snippets('https://payments.example', 'client_1').map(({ text }) => text);
  for (const text of texts) expect(text).toContain('https://payments.example');
  expect(texts[0]).toContain('-u "client_1:$CLIENT_SECRET"');
  expect(texts.at(-1)).toContain('npm install https://payments.example/packages/client.tgz');
  expect(texts.at(-1)).toContain('clientSecret: process.env.CLIENT_SECRET');
});
