import { ApiEnum } from '../../openapi/api-field.js';
import { EVENT_TYPES, type EventType } from './event-catalogue.js';

export class EventTypeDescriptionDto {
  /** @example "refund.created" */
  @ApiEnum('EventType', EVENT_TYPES)
  name: EventType;
  /** When such an event is written. @example "a refund is requested, or was made at the provider" */
  description: string;
  /** A complete webhook body of this type, with `"test": true`. @example { "event": "refund.created", "test": true } */
  example: Record<string, unknown>;
}
