import type { Scope } from '../access/scopes.js';
import { IsText } from '../platform/http/validation/field-rules.js';

/** The credentials that `client:create` printed. */
export class SignInDto {
  @IsText(1, 100)
  client_id: string;

  @IsText(1, 500)
  client_secret: string;
}

/** The signed-in client, and the CSRF token for the page's writing requests. */
export interface ConsoleSession {
  merchant: { id: number; name: string };
  client_id: string;
  /** The person's name, or her id if it is unknown. */
  name: string;
  scopes: readonly Scope[];
  /** The names of people and programs that may give rights, people first; empty: only the server's command line. */
  rights_given_by: string[];
  /** Required as `X-CSRF-Token` in every request except GET. */
  csrf_token: string;
  /** The end of the session unless it is renewed before. ISO 8601. */
  expires_at: string;
}
