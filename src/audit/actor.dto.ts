import type { Names } from './actor-names.service.js';

/** The client or person who asked for something. */
export class RequesterDto {
  /** @example 'client_0c8c1d1e6f0a' */
  client_id: string;
  /** Its name now; `null`: unknown, as of a person whom only the identity provider knows. @example 'Ada Lovelace' */
  name: string | null;

  /** `null`: the service itself. */
  static from(clientId: string | null, names: Names): RequesterDto | null {
    return clientId === null ? null : { client_id: clientId, name: names.get(clientId) ?? null };
  }
}
