import { callsOf, isAllowed, resultOf, stepsOf, wireOf } from '../calls.js';
import { type Situation, under, Unexpected } from '../finding.js';
import { soon } from '../steps.js';

const NOT_SENT: Readonly<Record<string, readonly string[]>> = {
  charge: ['unavailable'],
  capture: ['refused, unavailable'],
  void: ['refused, unavailable'],
  refund: ['refused, unavailable'],
  credentials: ['unknown'],
  detach: ['rejects'],
  read: ['rejects'],
  listed: ['rejects'],
  found: ['rejects', 'nothing'],
  notification: ['rejects'],
};

/** Results after the time is over, when a call may have been sent. */
const TIMED_OUT: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(Object.keys(NOT_SENT).map((member) => [member, ['rejects']])),
  credentials: ['unknown'],
  found: ['rejects', 'nothing'],
};

export const UNSENT: Situation[] = [
  ...under('outcomes-and-errors', {
    'no byte of a call was sent, in any call': async (fixture) => {
      if (!fixture.wire) return;
      for (const call of callsOf(fixture)) {
        const steps = await stepsOf(wireOf(fixture), call);
        // after a change that was made, nothing says that the whole call had no effect
        for (const step of steps.filter(({ isFirst }) => isFirst)) {
          const { make } = await call.prepare!();
          fixture.wire.cutNext(step);
          const result = await resultOf(make(soon()));
          if (fixture.wire.clear()) continue;
          isAllowed(result, NOT_SENT[call.member]!, `${call.name}, no byte of ${step.shown} is sent`);
        }
      }
    },
  }),
  ...under('the-module', {
    'the time of a call is over, in any call': async (fixture) => {
      if (!fixture.wire) return;
      for (const call of callsOf(fixture)) {
        for (const step of await stepsOf(wireOf(fixture), call)) {
          const { make } = await call.prepare!();
          const over = new AbortController();
          const from = fixture.wire.exchanges.length;
          fixture.wire.hangNext(step);
          const result = resultOf(make(over.signal));
          const hanging = await fixture.wire.hanging(result);
          if (!hanging) {
            fixture.wire.clear();
            continue;
          }
          over.abort();
          const detail = `${call.name}, ${step.shown} is not answered in time`;
          if (!hanging.aborted)
            throw new Unexpected('the signal is passed on to http.call', 'another signal, which did not abort', detail);
          isAllowed(await result, TIMED_OUT[call.member]!, detail);
          const after = fixture.wire.exchanges.slice(from + step.skip).filter(({ line }) => step.line.test(line));
          if (step.isChange && after.length > 1)
            throw new Unexpected('the call is sent once: the service repeats it', `${after.length} times`, detail);
        }
      }
    },
  }),
];
