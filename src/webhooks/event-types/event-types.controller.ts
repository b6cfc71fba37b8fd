import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireScopes } from '../../access/access.js';
import { ApiEnum } from '../../openapi/api-field.js';
import { ApiSuccess } from '../../openapi/api-success.js';
import { type Success, success } from '../../platform/http/routes.js';
import { describedEvent, EVENT_TYPES, type EventType } from './event-catalogue.js';
import { exampleOf } from './sample-event.js';

export class EventTypeDescriptionDto {
  /** @example "refund.created" */
  @ApiEnum('EventType', EVENT_TYPES)
  name: EventType;
  /** When such an event is written. @example "a refund is requested, or was made at the provider" */
  description: string;
  /** A complete webhook body of this type, with `"test": true`. @example { "event": "refund.created", "test": true } */
  example: Record<string, unknown>;
}

const DESCRIPTIONS: EventTypeDescriptionDto[] = EVENT_TYPES.map((name) => ({
  name,
  description: describedEvent(name).description,
  example: exampleOf(name),
}));

@ApiTags('webhooks')
@Controller('webhooks/event-types')
export class EventTypesController {
  @Get()
  @RequireScopes('webhooks:read')
  @ApiOperation({
    summary: 'List the types of events',
    description: '`event_types` of a standing endpoint and `types` of `GET /events` take these names.',
  })
  @ApiSuccess([EventTypeDescriptionDto])
  list(): Success<EventTypeDescriptionDto[]> {
    return success(DESCRIPTIONS);
  }
}
