export function startDebianPostgres(options: {
  folder: string;
  flags?: string[];
}): Promise<{ url: string; pid: number }>;
