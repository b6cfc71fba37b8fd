import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** Who owns API clients, shops, flows, customers and payments. */
@Entity('merchants')
export class MerchantEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' })
  id: number;

  @Column('text')
  name: string;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}

/** A program that may ask for tokens in a merchant's name. */
@Entity('api_clients')
export class ApiClientEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' })
  id: number;

  @Column('bigint', { name: 'merchant_id' })
  merchantId: number;

  /** The public id that the client names itself with. */
  @Column('text', { name: 'client_id' })
  clientId: string;

  @Column('text')
  name: string;

  /** See `hashSecret`; the secret itself is stored nowhere. */
  @Column('text', { name: 'secret_hash' })
  secretHash: string;

  /** What tokens may carry at most; names this build does not know are ignored. */
  @Column('text', { array: true })
  scopes: string[];

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt: Date | null;
}
