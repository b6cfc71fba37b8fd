import { useSession } from '../../api/session';
import { Card } from '../../ui/card';
import { Code, CopyButton } from '../../ui/values';
import { type Days, type ReportName, REPORTS, type ReportsSearch } from './reports-search';
import { cronLine } from './schedule';

interface Props {
  report: ReportName;
  search: ReportsSearch;
  days: Days;
  zone: string;
}

/** The report as files: links that the browser downloads with its session, and a command that runs each month. */
export function FilesCard({ report, search: { interval, shop_id: shop, currency }, days, zone }: Props) {
  const { client_id: clientId } = useSession();
  const { row, date } = REPORTS.find(({ value }) => value === report)!;
  const filter = { ...days, time_zone: zone, ...(shop && { shop_id: String(shop) }), ...(currency && { currency }) };
  const linkTo = (more: Record<string, string>): string =>
    `/reports/${report}?${new URLSearchParams({ ...filter, ...more }).toString()}`;
  const command = cronLine(location.origin, clientId, report, zone);
  return (
    <Card title="For finance">
      <div className="stack">
        <p className="small muted">
          Amounts are exact. A row belongs to the day of {date} in the time zone {zone}.
        </p>
        <div className="actions">
          <a className="button" href={linkTo({ format: 'csv', ...(interval && { interval }) })} download>
            Download CSV
          </a>
          <a className="button" href={linkTo({ rows: 'all' })} download>
            Download each {row} as CSV
          </a>
        </div>
        <details>
          <summary className="small">Each month by itself, with cron</summary>
          <div className="stack">
            <div className="row">
              <p className="small muted">
                On the 1st at 6:00, the last month. The client secret is in the variable CLIENT_SECRET of the crontab.
              </p>
              <CopyButton text={command} />
            </div>
            <Code value={command} />
          </div>
        </details>
      </div>
    </Card>
  );
}
