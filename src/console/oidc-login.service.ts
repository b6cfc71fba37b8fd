import { Injectable, Logger } from '@nestjs/common';
import type * as Oidc from 'openid-client';
import { InjectConfig } from '../platform/config/config.module.js';
import type { Config } from '../platform/config/config.js';
import type { ConsoleOidc } from '../platform/config/identity-settings.js';
import { nameIn } from '../auth/clients/people.service.js';
import { Encryption } from '../platform/encryption/encryption.js';
import { Clock } from '../shared/clock.js';
import { parsedUrl } from '../shared/parsed-url.js';

const TIMEOUT_SECONDS = 5;
const PURPOSE = 'console.oidc_login';
/** The time that people have to sign in at the provider. */
export const LOGIN_MS = 10 * 60_000;

/** The reason why the sign-in failed; the sign-in page has a text for each. */
export type LoginFailure = 'oidc_denied' | 'oidc_expired' | 'oidc_unavailable' | 'oidc_refused';

export class LoginError extends Error {
  constructor(
    readonly failure: LoginFailure,
    cause?: unknown,
  ) {
    super(failure, { cause });
  }
}

/** The state to compare when the browser comes back. The browser stores it, encrypted. */
interface Login {
  verifier: string;
  state: string;
  nonce: string;
  redirectUri: string;
  /** The requested path of the console. */
  to: string;
  beganAt: number;
}

interface LoggedIn {
  accessToken: string;
  to: string;
  /** The person's name, if the ID token has it. */
  name: string | undefined;
}

/**
 * Signs people in with the external identity provider: authorization code flow with PKCE (RFC 6749 §4.1, RFC 7636). The
 * result is an access token that any program could use, too; its permissions are checked elsewhere.
 */
@Injectable()
export class OidcLogin {
  private readonly logger = new Logger(OidcLogin.name);
  private provider: Promise<{ client: typeof Oidc; configuration: Oidc.Configuration }> | undefined;

  constructor(
    @InjectConfig() private readonly config: Config,
    private readonly encryption: Encryption,
    private readonly clock: Clock,
  ) {}

  private get settings(): ConsoleOidc | undefined {
    return this.config.console.oidc;
  }

  /** The host of the identity provider, such as `login.example.com`; `null`: none is configured. */
  get providerName(): string | null {
    return this.settings ? new URL(this.settings.issuer).host : null;
  }

  /** Returns the URL for the browser, and the state that it must bring back. Throws `LoginError`. */
  async begin(redirectUri: string, to: string): Promise<{ url: string; encrypted: string }> {
    const { client, configuration } = await this.connect();
    const verifier = client.randomPKCECodeVerifier();
    const login: Login = {
      verifier,
      state: client.randomState(),
      nonce: client.randomNonce(),
      redirectUri,
      to,
      beganAt: this.clock.now().getTime(),
    };
    const { scope, audience } = this.settings!;
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state: login.state,
      nonce: login.nonce,
      // providers use different parameters for the audience of a token
      audience,
      ...(parsedUrl(audience) && { resource: audience }),
    });
    return { url: url.href, encrypted: this.encryption.encrypt(JSON.stringify(login), PURPOSE).toString('base64url') };
  }

  /** `query`: of the address that the browser came back to. Throws `LoginError`. */
  async finish(encrypted: string | undefined, query: string): Promise<LoggedIn> {
    const login = this.decrypt(encrypted);
    const { client, configuration } = await this.connect();
    try {
      const tokens = await client.authorizationCodeGrant(
        this.withInjectedClock(client, configuration),
        new URL(`${login.redirectUri}?${query}`),
        {
          pkceCodeVerifier: login.verifier,
          expectedState: login.state,
          expectedNonce: login.nonce,
          idTokenExpected: true,
        },
        parsedUrl(this.settings!.audience) ? { resource: this.settings!.audience } : {},
      );
      const { access_token: accessToken } = tokens;
      const name = nameIn(tokens.claims() ?? {});
      return { accessToken, to: login.to, name };
    } catch (error) {
      throw this.failureOf(error, client);
    }
  }

  private decrypt(encrypted: string | undefined): Login {
    try {
      const login = JSON.parse(this.encryption.decrypt(Buffer.from(encrypted ?? '', 'base64url'), PURPOSE)) as Login;
      if (this.clock.now().getTime() - login.beganAt <= LOGIN_MS) return login;
    } catch {
      // missing, encrypted with another key, or forged: same result as for an expired one
    }
    throw new LoginError('oidc_expired');
  }

  private failureOf(error: unknown, client: typeof Oidc): LoginError {
    if (error instanceof client.AuthorizationResponseError) return new LoginError('oidc_denied', error);
    const isUnavailable = !(error instanceof client.ResponseBodyError || error instanceof client.ClientError);
    this.logger.warn({ msg: 'sign-in with the identity provider failed', err: error });
    return new LoginError(isUnavailable ? 'oidc_unavailable' : 'oidc_refused', error);
  }

  /** The provider's metadata is fetched once; after a failure the next sign-in tries again. */
  private async connect(): Promise<{ client: typeof Oidc; configuration: Oidc.Configuration }> {
    this.provider ??= this.discover(this.settings!);
    try {
      return await this.provider;
    } catch (error) {
      this.provider = undefined;
      this.logger.warn({ msg: 'the metadata of the identity provider cannot be fetched', err: error });
      throw new LoginError('oidc_unavailable', error);
    }
  }

  /**
   * The library checks the times of the ID token with the machine's clock, so it gets the difference to the injected
   * clock.
   */
  private withInjectedClock(client: typeof Oidc, known: Oidc.Configuration): Oidc.Configuration {
    const { clientId, clientSecret, issuer } = this.settings!;
    const seconds = Math.round((this.clock.now().getTime() - Date.now()) / 1_000);
    if (seconds === 0) return known;
    const metadata = { client_secret: clientSecret, [client.clockSkew]: seconds };
    const configuration = new client.Configuration(known.serverMetadata(), clientId, metadata);
    configuration.timeout = TIMEOUT_SECONDS;
    if (issuer.startsWith('http:')) client.allowInsecureRequests(configuration);
    return configuration;
  }

  private async discover({ issuer, clientId, clientSecret }: ConsoleOidc) {
    const client = await import('openid-client');
    const insecure = issuer.startsWith('http:') ? [client.allowInsecureRequests] : [];
    const options = { execute: insecure, timeout: TIMEOUT_SECONDS };
    return {
      client,
      configuration: await client.discovery(new URL(issuer), clientId, clientSecret, undefined, options),
    };
  }
}
