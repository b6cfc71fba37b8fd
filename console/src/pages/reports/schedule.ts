import type { ReportName } from './reports-search';

/** The last month's rows as a line of a crontab, in which `%` has a backslash. The secret is in its environment. */
export function cronLine(origin: string, clientId: string, report: ReportName, zone: string): string {
  const first = `$(date -d "$(date +\\%Y-\\%m-01) -1 month" +\\%F)`;
  const last = `$(date -d "$(date +\\%Y-\\%m-01) -1 day" +\\%F)`;
  const token = `$(curl -sf -u "${clientId}:$CLIENT_SECRET" -d grant_type=client_credentials ${origin}/auth/token | sed -n 's/.*"access_token":"\\([^"]*\\)".*/\\1/p')`;
  const url = `${origin}/reports/${report}?from=${first}&to=${last}&time_zone=${zone}&rows=all`;
  return `0 6 1 * * curl -sfOJ -H "Authorization: Bearer ${token}" "${url}"`;
}
