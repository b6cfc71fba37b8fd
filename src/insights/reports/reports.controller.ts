import { Readable } from 'node:stream';
import { Controller, Get, Headers, Module, Param, type PipeTransform, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CurrentOwner, RequireScopes } from '../../access/access.js';
import { ApiProblems } from '../../openapi/api-problems.js';
import { ApiSuccess } from '../../openapi/api-success.js';
import type { WorkOwner } from '../../platform/cpu-scheduler/work-owner.js';
import { success } from '../../platform/http/routes.js';
import { malformedParameter } from '../../platform/http/validation/id-param.js';
import { ReportQueryDto } from './reports-query.dto.js';
import { columnsOf, ReportDto } from './reports.dto.js';
import { type Report, REPORTS } from './report-sources.js';
import { ReportWalk } from './report-walk.js';
import { ReportsService, sumsAsCsv } from './reports.service.js';

const CSV = 'text/csv';

class ReportPipe implements PipeTransform<string, Report> {
  transform(value: string): Report {
    const report = REPORTS.find((each) => each === value);
    if (report === undefined) throw malformedParameter('report', `must be one of ${REPORTS.join(', ')}`);
    return report;
  }
}

@ApiTags('insights')
@Controller('reports')
class ReportsController {
  constructor(private readonly reports: ReportsService) {}

  @Get(':report')
  @RequireScopes('payments:read')
  @ApiParam({ name: 'report', enum: REPORTS, example: 'captures', description: 'The rows that are summed.' })
  @ApiOperation({
    summary: 'Read sums by day, week or month, or all rows, as JSON or CSV',
    description:
      'Payments count when they were created, captures and their fees when they were captured, refunds when they succeeded, disputes when ' +
      'they were opened, and attempts of `approvals` when their payment was created. Refunds that failed, also after a success, do not count. Archived payments, ' +
      'with their refunds, are no longer counted. A connection that ends before the end of an answer means that it is incomplete.',
  })
  @ApiSuccess(ReportDto, { content: { [CSV]: { schema: { type: 'string' } } } })
  @ApiProblems('malformed_request', 'too_many_requests')
  async read(
    @Param('report', ReportPipe) report: Report,
    @Query() query: ReportQueryDto,
    @Headers('accept') accept: string | undefined,
    @CurrentOwner() owner: WorkOwner,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const isCsv = ReportQueryDto.isCsv(query, accept);
    if (query.rows === 'all') {
      const rows = this.reports.rowsAsCsv(owner, ReportQueryDto.toRequest(report, query));
      const started = await begun(rows);
      void asFile(reply, report, query).send(Readable.from(started, { objectMode: false }));
      return;
    }
    const request = ReportQueryDto.toSums(report, query);
    const sums = await this.reports.sums(owner, request);
    if (isCsv) void asFile(reply, report, query).send(sumsAsCsv(columnsOf(request), sums));
    else void reply.send(success(ReportDto.from(request, sums)));
  }
}

/** Waits for the first part, so that what fails before it is answered as a problem. */
async function begun(parts: AsyncGenerator<string>): Promise<AsyncGenerator<string>> {
  const first = await parts.next();
  return (async function* () {
    if (first.done !== true) yield first.value;
    yield* parts;
  })();
}

const asFile = (reply: FastifyReply, report: Report, { from, to, rows }: ReportQueryDto): FastifyReply =>
  reply
    .type(`${CSV}; charset=utf-8; header=present`)
    .header(
      'content-disposition',
      `attachment; filename="${report}-${from}-to-${to}${rows === 'all' ? '-rows' : ''}.csv"`,
    );

@Module({ controllers: [ReportsController], providers: [ReportsService, ReportWalk] })
export class ReportsApiModule {}
