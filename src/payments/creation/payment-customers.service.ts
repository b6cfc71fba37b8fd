import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { invalidField, Problem } from '../../shared/problem.js';
import { CUSTOMER_FIELDS } from '../../webhooks/outbox/webhook-body.js';
import type { NewCustomer } from '../store/customer.js';
import type { CustomerRow } from '../money/state/payment.js';
import type { CreatePaymentDto } from './create-payment.dto.js';
import { FIND_BY_ID, FIND_BY_REFERENCE, SAVE_BY_REFERENCE, TAKE_CUSTOMER_ID } from './customers.queries.js';

/**
 * Finds the customer of a payment before it is routed (docs/decisions/032-customer-reference.md). A customer
 * with a reference is committed separately: if the payment fails, the next one finds the customer.
 */
@Injectable()
export class PaymentCustomers {
  constructor(private readonly database: Database) {}

  /**
   * The existing customer, or the one just created for its reference. `null`: it is created with the payment, or there
   * is none. Throws `validation_failed`, `customer_not_found`, `customer_erased`.
   */
  async find(merchantId: number, { customer, customer_id: id }: CreatePaymentDto): Promise<CustomerRow | null> {
    if (customer !== undefined && id !== undefined) {
      throw invalidField('customer_id', 'cannot be given together with customer');
    }
    if (id !== undefined) return this.findById(merchantId, id);
    if (customer?.reference === undefined) return null;
    return this.findByReference(merchantId, customer.reference, customer);
  }

  /** Reserves an id for a customer that is created with its payment, because the routing depends on the id. */
  async takeId(): Promise<number> {
    const [row] = await this.database.query<{ id: number }>(TAKE_CUSTOMER_ID, []);
    return row!.id;
  }

  private async findById(merchantId: number, id: number): Promise<CustomerRow> {
    const [found] = await this.database.query<CustomerRow>(FIND_BY_ID, [merchantId, id]);
    if (!found) throw new Problem('customer_not_found', { detail: `customer_id: there is no customer ${id}` });
    if (found.erased_at !== null) {
      throw new Problem('customer_erased', { detail: `customer_id: customer ${id} was erased` });
    }
    return found;
  }

  /** Finds or creates the customer. Usually no field has changed, and then nothing is written. */
  private async findByReference(merchantId: number, reference: string, given: NewCustomer): Promise<CustomerRow> {
    const [known] = await this.database.query<CustomerRow>(FIND_BY_REFERENCE, [merchantId, reference]);
    const isNews = CUSTOMER_FIELDS.some((field) => given[field] !== undefined && given[field] !== known?.[field]);
    if (known && !isNews) return known;
    const values = [merchantId, reference, JSON.stringify(given)];
    const [saved] = await this.database.query<CustomerRow>(SAVE_BY_REFERENCE, values);
    return saved!;
  }
}
