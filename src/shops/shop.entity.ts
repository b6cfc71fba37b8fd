import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { FeeEntry } from '@payment-orchestrator/routing/facts/fees';
import type { WebhookSigning } from './webhook-secrets.js';

/** A merchant's account at a provider. No entity loads the columns of its secrets: see `shops.queries.ts`. */
@Entity('shops')
export class ShopEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' })
  id: number;

  @Column('bigint', { name: 'merchant_id' })
  merchantId: number;

  @Column('text')
  name: string;

  @Column('text')
  provider: string;

  @Column('text', { name: 'provider_account' })
  providerAccount: string;

  @Column('boolean')
  enabled: boolean;

  @Column('text', { name: 'webhook_signing' })
  webhookSigning: WebhookSigning;

  /** `null`: unknown. */
  @Column('jsonb')
  fees: FeeEntry[] | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt: Date;
}
