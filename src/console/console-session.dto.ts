import { IsString, Length } from 'class-validator';
import type { Scope } from '../access/scopes.js';

/** Signing in with what `client:create` printed. */
export class SignInDto {
  @IsString()
  @Length(1, 100)
  client_id: string;

  @IsString()
  @Length(1, 500)
  client_secret: string;
}

/** Who is signed in, and what the page must send with what it writes. */
export interface ConsoleSession {
  merchant: { id: number; name: string };
  client_id: string;
  scopes: readonly Scope[];
  /** To be sent as `X-CSRF-Token` by every request that is not a GET. */
  csrf_token: string;
  /** When it ends unless it is asked for again before. ISO 8601. */
  expires_at: string;
}
