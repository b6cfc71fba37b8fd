import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('./run-oidc-provider.mjs', import.meta.url));

export interface OidcProviderOptions {
  /** The audience of its access tokens. */
  audience: string;
  /** Claims in addition to the standard ones, such as `merchant_id`. */
  claims: Record<string, unknown>;
  /** Space-separated. */
  scopes: string;
}

/** An external identity provider, which a service uses through `settings`. */
export class OidcProvider {
  private constructor(
    private readonly child: ChildProcess,
    private readonly issuer: string,
    private readonly options: OidcProviderOptions,
  ) {}

  static async start(options: OidcProviderOptions): Promise<OidcProvider> {
    const child = spawn(process.execPath, [PROGRAM, JSON.stringify({ ...CLIENT, ...options })], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const [issuer] = (await once(createInterface(child.stdout), 'line')) as [string];
    return new OidcProvider(child, issuer, options);
  }

  get settings(): Record<string, string> {
    return {
      AUTH_ISSUER: this.issuer,
      AUTH_JWKS_URL: `${this.issuer}/jwks`,
      AUTH_AUDIENCE: this.options.audience,
      CONSOLE_OIDC_CLIENT_ID: CLIENT.clientId,
      CONSOLE_OIDC_CLIENT_SECRET: CLIENT.clientSecret,
      CONSOLE_OIDC_SCOPE: `openid ${this.options.scopes}`,
    };
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const exited = once(this.child, 'exit');
    this.child.stdin!.end();
    await exited;
  }
}

const CLIENT = { clientId: 'console', clientSecret: 'the secret of the console at the provider' };
