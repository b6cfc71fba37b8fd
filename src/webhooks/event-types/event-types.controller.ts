import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireScopes } from '../../access/access.js';
import { ApiSuccess } from '../../openapi/api-success.js';
import { type Success, success } from '../../platform/http/routes.js';
import { describedEvent, EVENT_TYPES } from './event-catalogue.js';
import { EventTypeDescriptionDto } from './event-types.dto.js';
import { exampleOf } from './sample-event.js';

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
