/** SQL that formats a time like JavaScript, in ISO 8601 UTC with milliseconds. `null` stays `null`. */
export const isoTime = (time: string): string => `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
