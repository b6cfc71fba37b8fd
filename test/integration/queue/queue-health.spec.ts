import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Metrics } from '../../../src/platform/observability/metrics.js';
import { QueueHealth } from '../../../src/platform/queue/queue-health.service.js';
import { WebhooksModule } from '../../../src/webhooks/webhooks.module.js';
import { createEmptyDatabase } from '../../support/servers/database.js';
import { eventually } from '../../support/eventually.js';
import { BACKENDS, type Engine, EngineWorld, startEngine } from '../webhooks/engine-harness.js';

describe.each(BACKENDS)('QueueHealth, queue in %s', (backend) => {
  let world: EngineWorld;
  let engine: Engine;
  beforeEach(async () => {
    world = await EngineWorld.create(backend);
    engine = await world.startProducer();
  });
  afterEach(() => world.stop());

  it('answers a ping', async () => {
    await engine.get(QueueHealth).ping();
  });

  it('reports the depth of the queue in the metrics', async () => {
    const shop = await world.aShop(engine);
    await engine.deliver((await world.deliveriesTo(engine, shop, 'http://127.0.0.1:1'))());
    const line = 'queue_jobs{queue="webhook-lanes",state="waiting"} 1';
    await eventually(async () => expect(await engine.get(Metrics).render()).toContain(line));
  });
});

describe('QueueModule', () => {
  it('fails to start on a database without the schema of the queue, with an error that names it', async () => {
    const database = await createEmptyDatabase();
    const start = startEngine(WebhooksModule, database.url);
    await expect(start).rejects.toThrow('not initialized');
    await database.drop();
  });
});
