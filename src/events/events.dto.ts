import { ApiEnum } from '../openapi/api-field.js';
import { Type } from 'class-transformer';
import { IsString, Matches } from 'class-validator';
import { IsIdInQuery, IsIntegerIn, Optional } from '../platform/http/validation/field-rules.js';
import { decodeEventCursor } from './event-cursor.js';
import type { EventFilter } from './event-log.service.js';
import type { EventStart } from './event-pages.service.js';
import { EVENT_TYPES, type EventType } from '../webhooks/event-types/event-catalogue.js';

const DEFAULT_LIMIT = 20;
const ONE = `(${EVENT_TYPES.join('|').replaceAll('.', '\\.')})`;
const TYPES = new RegExp(`^${ONE}(,${ONE}){0,${EVENT_TYPES.length - 1}}$`);

export class ListEventsQueryDto {
  /** The event to start after: `pagination.next_cursor` of a page, or the `id` of a streamed event. */
  @Optional()
  @IsString()
  after?: string;

  /** Without `after`: start with this number of latest events, all of them on the page unless `limit` is less; 0: only new events. @example 10 */
  @Optional()
  @Type(() => Number)
  @IsIntegerIn(0, 100)
  last?: number;

  /** Only events of these types, separated by commas. @example 'payment.status_changed,delivery.failed' */
  @Optional()
  @Matches(TYPES, { message: `$property must be comma-separated names of: ${EVENT_TYPES.join(', ')}` })
  types?: string;

  /** Only events of this shop. @example 3 */
  @Optional()
  @IsIdInQuery()
  shop_id?: number;

  /** The maximum number of events on a page, by default 20 or, if that is more, `last`; ignored for a stream. @example 20 */
  @Optional()
  @Type(() => Number)
  @IsIntegerIn(1, 100)
  limit?: number;

  static toLimit({ limit, after, last = 0 }: ListEventsQueryDto): number {
    return limit ?? Math.max(DEFAULT_LIMIT, after === undefined ? last : 0);
  }

  static toFilter({ types, shop_id: shopId }: ListEventsQueryDto): EventFilter {
    return { types: types?.split(',') as EventType[] | undefined, shopId };
  }

  /** A `Last-Event-ID` takes precedence: it is from a reader that has continued after its start. */
  static toStart({ after, last }: ListEventsQueryDto, lastEventId: string | undefined): EventStart {
    const cursor = lastEventId === undefined || lastEventId === '' ? after : lastEventId;
    return { after: cursor === undefined ? undefined : decodeEventCursor(cursor), last };
  }
}

export class EventDto {
  /** Unique across services, and the same each time the event is read.
   * @example 'evt_7d1f0a3c5e8b4f6d9a2c1e0f3b5d7a9c' */
  id: string;
  /** @example 'payment.status_changed' */
  @ApiEnum('EventType', EVENT_TYPES)
  type: EventType;
  /** The time of the event. @example '2026-11-21T01:02:03.456Z' */
  created_at: string;
  /** `null`: the event is about no single shop. @example 3 */
  shop_id: number | null;
  /** `null`: the event is about no payment. @example 17 */
  payment_id: number | null;
  /** Depends on `type`: `GET /webhooks/event-types` has an example of each, and the `webhooks` of this document the schemas. For `payment.status_changed` it is the body of the webhook. */
  data: Record<string, unknown>;
}
