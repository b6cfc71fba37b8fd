import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Database, type Queryable } from '../platform/database/database.js';
import { boundedCache } from '../shared/bounded-cache.js';
import { INSERT_MERCHANT, MERCHANT_EXISTS } from './api-clients.queries.js';
import { MerchantEntity } from './merchant.entity.js';

const CACHED_MERCHANTS = 10_000;

@Injectable()
export class MerchantsService {
  /** Only existing merchants: they are never deleted, while an unknown one may be created at any time. */
  private readonly known = boundedCache<number, true>(CACHED_MERCHANTS);

  constructor(
    @InjectRepository(MerchantEntity) private readonly merchants: Repository<MerchantEntity>,
    private readonly database: Database,
  ) {}

  async create(name: string, on: Queryable = this.database): Promise<{ id: number }> {
    const [merchant] = await on.query<{ id: number }>(INSERT_MERCHANT, [name]);
    return merchant!;
  }

  findByName(name: string): Promise<MerchantEntity | null> {
    return this.merchants.findOne({ where: { name }, order: { id: 'ASC' } });
  }

  /** The merchant must exist. */
  async nameOf(merchantId: number): Promise<string> {
    const { name } = await this.merchants.findOneByOrFail({ id: merchantId });
    return name;
  }

  async exists(merchantId: number): Promise<boolean> {
    if (this.known.has(merchantId)) return true;
    const [found] = await this.database.query<{ id: number }>(MERCHANT_EXISTS, [merchantId]);
    if (found) this.known.set(merchantId, true);
    return found !== undefined;
  }
}
