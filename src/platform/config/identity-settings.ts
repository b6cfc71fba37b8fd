import { ConfigError, type EnvReader } from './env-reader.js';

/** An outside identity provider whose tokens are accepted too. */
export interface ExternalIssuer {
  jwksUrl: string;
  issuer: string;
  audience: string;
  /** How long its published keys are relied on before they are fetched again. */
  keysMaxAgeSeconds: number;
}

/** The console as a client of the outside identity provider, which must describe itself (OpenID Connect Discovery). */
export interface ConsoleOidc {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Space-separated. */
  scope: string;
  /** For which its access tokens must be. */
  audience: string;
}

export function externalIssuer(read: EnvReader): ExternalIssuer | undefined {
  const jwksUrl = read.secureUrl('AUTH_JWKS_URL');
  const issuer = read.optional('AUTH_ISSUER');
  const audience = read.optional('AUTH_AUDIENCE');
  const keysMaxAgeSeconds = read.integer('AUTH_JWKS_MAX_AGE', 300, 1, 86_400);
  if (jwksUrl === undefined && issuer === undefined && audience === undefined) return undefined;
  if (jwksUrl === undefined)
    throw new ConfigError('AUTH_JWKS_URL', undefined, 'a URL, as AUTH_ISSUER or AUTH_AUDIENCE is set');
  if (issuer === undefined) throw new ConfigError('AUTH_ISSUER', undefined, 'the issuer, as AUTH_JWKS_URL is set');
  if (audience === undefined)
    throw new ConfigError('AUTH_AUDIENCE', undefined, 'the audience, as AUTH_JWKS_URL is set');
  return { jwksUrl, issuer, audience, keysMaxAgeSeconds };
}

export function consoleOidc(read: EnvReader): ConsoleOidc | undefined {
  const clientId = read.optional('CONSOLE_OIDC_CLIENT_ID');
  const clientSecret = read.optional('CONSOLE_OIDC_CLIENT_SECRET');
  const scope = read.text('CONSOLE_OIDC_SCOPE', 'openid');
  if (clientId === undefined && clientSecret === undefined) return undefined;
  if (clientId === undefined)
    throw new ConfigError('CONSOLE_OIDC_CLIENT_ID', undefined, 'a client id, as CONSOLE_OIDC_CLIENT_SECRET is set');
  if (clientSecret === undefined)
    throw new ConfigError('CONSOLE_OIDC_CLIENT_SECRET', undefined, 'a secret, as CONSOLE_OIDC_CLIENT_ID is set');
  if (!scope.split(' ').includes('openid'))
    throw new ConfigError('CONSOLE_OIDC_SCOPE', `'${scope}'`, 'scopes with spaces between, openid among them');
  const issuer = read.secureUrl('AUTH_ISSUER');
  const audience = read.optional('AUTH_AUDIENCE');
  if (issuer === undefined || audience === undefined)
    throw new ConfigError('AUTH_ISSUER', undefined, 'the URL of the issuer, as CONSOLE_OIDC_CLIENT_ID is set');
  return { issuer, clientId, clientSecret, scope, audience };
}
