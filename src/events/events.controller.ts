import { Controller, Get, Headers, Module, Query, Res } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import {
  CurrentAcceptance,
  CurrentPrincipal,
  type Principal,
  RequireScopes,
  type StillAccepted,
} from '../access/access.js';
import { PaymentsModule } from '../payments/payments.module.js';
import { ApiProblems } from '../openapi/api-problems.js';
import { ApiSuccessPage } from '../openapi/api-success.js';
import { encodeEventCursor } from './event-cursor.js';
import { EventLog } from './event-log.service.js';
import { type EventPage, EventPages } from './event-pages.service.js';
import { EventStreams } from './event-streams.service.js';
import { EventDto, ListEventsQueryDto } from './events.dto.js';

const EVENT_STREAM = 'text/event-stream';
const STREAM_HEADERS = {
  'content-type': `${EVENT_STREAM}; charset=utf-8`,
  // nginx and others would gather it
  'x-accel-buffering': 'no',
  // when it ends, nothing else comes on its connection: a server that stops need not wait for that
  connection: 'close',
};
const DEFAULT_LIMIT = 20;

@ApiTags('webhooks')
@Controller('events')
class EventsController {
  constructor(
    private readonly pages: EventPages,
    private readonly streams: EventStreams,
  ) {}

  @Get()
  @RequireScopes('webhooks:read')
  @ApiOperation({
    summary: 'Read what happened, in the order in which it was committed, as a page or a stream',
    description:
      'Whoever goes on behind the last cursor gets every event once: none is skipped, also not one that was committed late. ' +
      'With `Accept: text/event-stream` a stream of Server-Sent Events, which begins now unless told otherwise: `id` is the ' +
      'cursor, `event` the type, `data` the event; a heartbeat comes every 15 seconds. The stream ends within 15 seconds ' +
      'once its token is no longer accepted. After 5 minutes it ends in any case, and is to be opened again with `Last-Event-ID`, as every client of Server-Sent Events does by itself. Otherwise a ' +
      'page, oldest first, whose `next_cursor` is there also when nothing follows yet; `has_more` tells whether to ask ' +
      'again at once. A page may hold fewer events than `limit`, or none, and have more. A client may have 5 streams open, a ' +
      'merchant 20, at each process of the service.',
  })
  @ApiHeader({ name: 'Last-Event-ID', required: false, description: 'The `id` of the last event that was received.' })
  @ApiSuccessPage(EventDto, {
    description: 'A page; or a stream, where the request accepts `text/event-stream`',
    content: { [EVENT_STREAM]: { schema: { type: 'string' } } },
  })
  @ApiProblems('malformed_request')
  async list(
    @CurrentPrincipal() principal: Principal,
    @CurrentAcceptance() isStillAccepted: StillAccepted,
    @Query() query: ListEventsQueryDto,
    @Headers('accept') accept: string | undefined,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const filter = ListEventsQueryDto.toFilter(query);
    const start = ListEventsQueryDto.toStart(query, lastEventId);
    const isStream = accept?.includes(EVENT_STREAM) === true;
    const begin = isStream && start.last === undefined ? { ...start, last: 0 } : start;
    const at = await this.pages.begin(principal.merchantId, filter, begin);
    if (isStream) {
      const reader = { ...principal, isStillAccepted };
      void reply.headers(STREAM_HEADERS).send(this.streams.stream(reader, at, filter, reply.raw));
      return;
    }
    const page = await this.pages.page(principal.merchantId, at, filter, query.limit ?? DEFAULT_LIMIT);
    void reply.type('application/json; charset=utf-8').send(pageBody(page));
  }
}

/** Bodies of webhooks are in it byte for byte, which no JSON serialiser would keep. */
function pageBody({ events, next, hasMore }: EventPage): string {
  const pagination = JSON.stringify({ next_cursor: encodeEventCursor(next), has_more: hasMore });
  return `{"success":true,"data":[${events.map(({ json }) => json).join(',')}],"pagination":${pagination}}`;
}

@Module({
  imports: [PaymentsModule],
  controllers: [EventsController],
  providers: [EventLog, EventPages, EventStreams],
})
export class EventsApiModule {}
