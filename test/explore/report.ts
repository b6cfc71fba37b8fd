import type { Finding } from './explore-scenarios.js';
import type { ScenarioPlan } from './scenario-plan.js';

const LAST_LINES = 40;

/** Prints the violations; returns whether there is none. */
export function report(findings: Finding[], run: { isOld: boolean; tookMs: number }): boolean {
  const bad = findings.filter(({ violation }) => violation !== undefined);
  for (const invariant of new Set(bad.map(({ violation }) => violation!.invariant))) {
    const found = bad.filter(({ violation }) => violation!.invariant === invariant);
    const { seed, violation, smallest, trace } = found.find((one) => one.smallest) ?? found[0]!;
    console.error(
      `\n✗ ${invariant} in ${found.length} scenarios, first in seed ${found[0]!.seed}; seed ${seed}: ${violation!.text}`,
    );
    if (smallest) console.error(describe(smallest));
    if (trace) console.error(trace.slice(-LAST_LINES).join('\n'));
    const flag = run.isOld ? ' --old' : '';
    console.error(`  repeat: npm run explore -- --seed=${seed} --scenarios=1${flag}`);
  }
  const requests = findings.reduce((sum, finding) => sum + finding.requests, 0);
  const hours = findings.reduce((sum, finding) => sum + finding.virtualMs, 0) / 3_600_000;
  const seconds = (run.tookMs / 1_000).toFixed(1);
  console.log(
    `${bad.length === 0 ? '✓' : '✗'} ${findings.length} scenarios, ${bad.length} failed; ` +
      `${requests} requests in ${hours.toFixed(1)} h of simulated time, ${seconds} s of real time`,
  );
  return bad.length === 0;
}

function describe({ lanes, deliveries, disturbances, workers, slots }: ScenarioPlan): string {
  const lines = [
    `  smallest scenario: ${workers} workers with ${slots} slots, ${deliveries.length} deliveries`,
    ...lanes.map(({ id, origin, receiver }) => `    lane ${id}: ${receiver.kind} (${receiver.ms} ms) at ${origin}`),
    ...disturbances.map((disturbance) => `    ${JSON.stringify(disturbance)}`),
    ...deliveries
      .slice(0, 10)
      .map(
        ({ id, atMs, laneId, paymentId }) =>
          `    delivery ${id}: ${atMs.toFixed(1)} ms, lane ${laneId}, payment ${paymentId}`,
      ),
  ];
  return lines.join('\n');
}
