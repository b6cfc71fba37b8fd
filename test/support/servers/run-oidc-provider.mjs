// An OpenID Connect provider on loopback, for tests: accepts every name and password; the token of `guest` names no
// merchant. Run as a separate process with one argument, JSON { clientId, clientSecret, audience, claims, scopes };
// prints its issuer. Exits at the end of its stdin.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { exportJWK, generateKeyPair } from 'jose';
import Provider from 'oidc-provider';

const { clientId, clientSecret, audience, claims, scopes } = JSON.parse(process.argv[2]);

const { privateKey } = await generateKeyPair('RS256', { extractable: true });
const server = createServer();
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const issuer = `http://127.0.0.1:${server.address().port}`;

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: clientId,
      client_secret: clientSecret,
      // any URI is accepted, see below: the port of the service is not known yet
      redirect_uris: ['http://127.0.0.1/console/oidc/callback'],
      grant_types: ['authorization_code'],
      response_types: ['code'],
    },
  ],
  cookies: { keys: ['of the tests'] },
  jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'tests', use: 'sig', alg: 'RS256' }] },
  findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  extraTokenClaims: (_, { accountId }) => ({ ...claims, ...(accountId === 'guest' && { merchant_id: 'none' }) }),
  pkce: { required: () => true },
  features: {
    devInteractions: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => audience,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({ scope: scopes, audience, accessTokenTTL: 600, accessTokenFormat: 'jwt' }),
    },
  },
});
provider.Client.prototype.redirectUriAllowed = () => true;
server.on('request', provider.callback());
process.stdout.write(`${issuer}\n`);
process.stdin.resume().once('end', () => process.exit(0));
