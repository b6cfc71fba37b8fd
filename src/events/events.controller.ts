import { Controller, Get, Headers, Module, Query, Res } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import {
  CurrentAcceptance,
  CurrentOwner,
  CurrentPrincipal,
  type Principal,
  RequireScopes,
  type StillAccepted,
} from '../access/access.js';
import { ReadSlots } from '../access/read-slots.js';
import type { WorkOwner } from '../platform/cpu-scheduler/work-owner.js';
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
  // nginx and other proxies would buffer the stream
  'x-accel-buffering': 'no',
  // the stream is the last answer of its connection, so that a stopping server need not wait for it
  connection: 'close',
};

@ApiTags('webhooks')
@Controller('events')
class EventsController {
  constructor(
    private readonly pages: EventPages,
    private readonly streams: EventStreams,
    private readonly slots: ReadSlots,
  ) {}

  @Get()
  @RequireScopes('webhooks:read')
  @ApiOperation({
    summary: 'Read events in the order of their commits, as a page or a stream',
    description:
      'A reader that continues after the last cursor gets every event exactly once, including events that were ' +
      'committed late. With `Accept: text/event-stream` the answer is a stream of Server-Sent Events that ' +
      'begins now by default. `id` is the cursor, `event` the type, `data` the event; a heartbeat comes every ' +
      '15 seconds. The stream ends within 15 seconds after its token is no longer accepted, and after 5 minutes ' +
      'at the latest. Then open it again with `Last-Event-ID`, as clients of Server-Sent Events do ' +
      'automatically. Otherwise the answer is a page, oldest first. `next_cursor` is present even if there is ' +
      'no next event yet; `has_more` is true if another page can be read at once. A page may have fewer events ' +
      'than `limit`, or none, although there are more. A client may have 5 open streams, a merchant 20, in each ' +
      'process of the service.',
  })
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description: 'The `id` of the last event that the reader received.',
  })
  @ApiSuccessPage(EventDto, {
    pagination: 'EventPagination',
    description: 'A page, or a stream if the request accepts `text/event-stream`',
    content: { [EVENT_STREAM]: { schema: { type: 'string' } } },
  })
  @ApiProblems('malformed_request')
  async list(
    @CurrentPrincipal() principal: Principal,
    @CurrentOwner() owner: WorkOwner,
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
    const limit = ListEventsQueryDto.toLimit(query);
    const page = await this.slots.run(owner, () => this.pages.page(principal.merchantId, at, filter, limit));
    void reply.type('application/json; charset=utf-8').send(pageBody(page));
  }
}

/** Contains the bodies of webhooks byte for byte, which a JSON serialiser would change. */
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
