import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Global,
  Injectable,
  Module,
  type NestInterceptor,
  SetMetadata,
  UseInterceptors,
} from '@nestjs/common';
import { from, lastValueFrom, type Observable } from 'rxjs';
import type { Config } from '../platform/config/config.js';
import { InjectConfig } from '../platform/config/config.module.js';
import { MerchantSlots } from '../platform/cpu-scheduler/merchant-slots.js';
import { ownerOf } from './access.js';

/** Half of the connections are left to payments, and a merchant's reads take a quarter. */
const slotsOf = (connections: number) => ({
  what: 'lists and reports',
  total: Math.max(1, Math.floor(connections / 2)),
  perMerchant: Math.max(1, Math.floor(connections / 4)),
  waitingPerMerchant: 100,
  waiting: 1_000,
});

/** The slots of all lists and reports together: each holds a database connection while it reads. */
@Injectable()
export class ReadSlots extends MerchantSlots {
  constructor(@InjectConfig() { databasePoolSize }: Pick<Config, 'databasePoolSize'>) {
    super(slotsOf(databasePoolSize));
  }
}

@Injectable()
class ReadSlotInterceptor implements NestInterceptor {
  constructor(private readonly slots: ReadSlots) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return from(this.slots.run(ownerOf(context), () => lastValueFrom(next.handle())));
  }
}

const TAKES_READ_SLOT = 'access:takes-read-slot';

/** Marks a list or a report: requests wait for one of the `ReadSlots`. Problems: as `MerchantSlots`. */
export const TakesReadSlot = (): MethodDecorator =>
  applyDecorators(SetMetadata(TAKES_READ_SLOT, true), UseInterceptors(ReadSlotInterceptor));

/** `handler`: a route's method. */
export const takesReadSlot = (handler: object): boolean => Reflect.hasOwnMetadata(TAKES_READ_SLOT, handler);

@Global()
@Module({ providers: [ReadSlots], exports: [ReadSlots] })
export class ReadSlotsModule {}
