import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';

export const CLIENT_KINDS = ['person', 'program'] as const;
export type ClientKind = (typeof CLIENT_KINDS)[number];

/** A program that may request tokens for a merchant, or a person who signs in to the console. */
@Entity('api_clients')
export class ApiClientEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' })
  id: number;

  @Column('bigint', { name: 'merchant_id' })
  merchantId: number;

  /** The public id of the client. */
  @Column('text', { name: 'client_id' })
  clientId: string;

  @Column('text')
  name: string;

  /** See `hashSecret`; the secret itself is never stored. */
  @Column('text', { name: 'secret_hash' })
  secretHash: string;

  /** The secret before the last rotation, valid until `previousSecretExpiresAt`. */
  @Column('text', { name: 'previous_secret_hash', nullable: true })
  previousSecretHash: string | null;

  @Column('timestamptz', { name: 'previous_secret_expires_at', nullable: true })
  previousSecretExpiresAt: Date | null;

  @Column('text', { default: 'program' })
  kind: ClientKind;

  /** `null`: its scopes are its own. Read it with `roleOf`. */
  @Column('text', { nullable: true })
  role: string | null;

  /** The maximum scopes of its tokens without a role: read them with `scopesOf`. */
  @Column('text', { array: true })
  scopes: string[];

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  /** The client that made it. `null`: the command line, the first start, or a version before. */
  @Column('text', { name: 'created_by', nullable: true })
  createdBy: string | null;

  /** The last change of its name, kind, rights or secret. */
  @Column('timestamptz', { name: 'changed_at', nullable: true })
  changedAt: Date | null;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt: Date | null;
}
