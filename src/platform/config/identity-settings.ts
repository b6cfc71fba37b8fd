import { ConfigError } from './config-error.js';
import type { EnvReader } from './env-reader.js';
import { secureUrl } from './parsers.js';

/** An external identity provider whose tokens are also accepted. */
export function externalIssuer(read: EnvReader) {
  const jwksUrl = read.get('AUTH_JWKS_URL');
  const issuer = read.get('AUTH_ISSUER');
  const audience = read.get('AUTH_AUDIENCE');
  const keysMaxAgeSeconds = read.get('AUTH_JWKS_MAX_AGE');
  const roles = read.get('AUTH_ROLES');
  if (jwksUrl === undefined && issuer === undefined && audience === undefined && roles === undefined) return undefined;
  if (jwksUrl === undefined)
    throw new ConfigError('AUTH_JWKS_URL', undefined, 'a URL, as AUTH_ISSUER, AUTH_AUDIENCE or AUTH_ROLES is set');
  if (issuer === undefined) throw new ConfigError('AUTH_ISSUER', undefined, 'the issuer, as AUTH_JWKS_URL is set');
  if (audience === undefined)
    throw new ConfigError('AUTH_AUDIENCE', undefined, 'the audience, as AUTH_JWKS_URL is set');
  return { jwksUrl, issuer, audience, keysMaxAgeSeconds, roles };
}

/** The console as a client of the external identity provider, which must support OpenID Connect Discovery. */
export interface ConsoleOidc {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Space-separated. */
  scope: string;
  /** The audience of its access tokens. */
  audience: string;
}

export function consoleOidc(read: EnvReader): ConsoleOidc | undefined {
  const clientId = read.get('CONSOLE_OIDC_CLIENT_ID');
  const clientSecret = read.get('CONSOLE_OIDC_CLIENT_SECRET');
  const scope = read.get('CONSOLE_OIDC_SCOPE');
  if (clientId === undefined && clientSecret === undefined) return undefined;
  if (clientId === undefined)
    throw new ConfigError('CONSOLE_OIDC_CLIENT_ID', undefined, 'a client id, as CONSOLE_OIDC_CLIENT_SECRET is set');
  if (clientSecret === undefined)
    throw new ConfigError('CONSOLE_OIDC_CLIENT_SECRET', undefined, 'a secret, as CONSOLE_OIDC_CLIENT_ID is set');
  const issuer = read.get('AUTH_ISSUER');
  const audience = read.get('AUTH_AUDIENCE');
  if (issuer === undefined || audience === undefined)
    throw new ConfigError('AUTH_ISSUER', undefined, 'the URL of the issuer, as CONSOLE_OIDC_CLIENT_ID is set');
  return { issuer: secureUrl(issuer, 'AUTH_ISSUER'), clientId, clientSecret, scope, audience };
}
