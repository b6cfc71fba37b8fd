/** What global-setup.mjs started. */
export interface TestServers {
  databaseUrl: string;
  templateDatabase: string;
  redisUrl: string;
}

export function testServers(): TestServers {
  const servers = process.env.TEST_SERVERS;
  if (servers === undefined) throw new Error('no test servers: run the test in the project integration or e2e');
  return JSON.parse(servers) as TestServers;
}
