import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A program that may request tokens for a merchant. */
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

  /** The maximum scopes of its tokens; names that this build does not know are ignored. */
  @Column('text', { array: true })
  scopes: string[];

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt: Date | null;
}
