import { Injectable, Module } from '@nestjs/common';
import { rolesWith } from '../../access/roles.js';
import type { Scope } from '../../access/scopes.js';
import { ActorNames } from '../../audit/actor-names.service.js';
import { AuditModule } from '../../audit/audit-log.service.js';
import { Database } from '../../platform/database/database.js';
import { FIND_GIVERS, KEEP_PERSON_NAME } from '../api-clients.queries.js';
import type { Claims } from '../token-claims.js';

/** The right to give rights. */
export const GIVE: Scope = 'clients:write';

const MAX_NAME_LENGTH = 200;

/** A client that may give rights. */
export interface Giver {
  client_id: string;
  name: string;
}

/** People as their colleagues see them: by names. */
@Injectable()
export class People {
  constructor(
    private readonly database: Database,
    private readonly names: ActorNames,
  ) {}

  /** Its name, or its id if it has none. */
  async nameOf(merchantId: number, clientId: string): Promise<string> {
    return (await this.names.of(merchantId, [clientId])).get(clientId) ?? clientId;
  }

  /** At most twenty active clients of the merchant that may give rights, people first. */
  findGivers(merchantId: number): Promise<Giver[]> {
    return this.database.query<Giver>(FIND_GIVERS, [merchantId, rolesWith(GIVE), GIVE]);
  }

  /** Keeps the name of an external person, by whose id records of changes name her. */
  async keepName(merchantId: number, clientId: string, name: string): Promise<void> {
    await this.database.query(KEEP_PERSON_NAME, [merchantId, clientId, name]);
  }
}

/** The name of a person in the claims of an ID token or access token; `undefined`: they have none. */
export function nameIn({ name, preferred_username: username, email }: Claims): string | undefined {
  const texts = [name, username, email].filter((each) => typeof each === 'string');
  const plain = texts.map((text) =>
    text
      .toWellFormed()
      .replace(/\p{Cc}/gu, ' ')
      .trim(),
  );
  return plain.find((text) => text !== '')?.slice(0, MAX_NAME_LENGTH);
}

@Module({ imports: [AuditModule], providers: [People], exports: [People] })
export class PeopleModule {}
