// Runs the tests of plans on Debian's PostgreSQL, whose version plans and scans differently from the embedded one.
import '../integration/insights/plans.spec.js';
import '../integration/platform/plan-costs.spec.js';
import '../integration/webhooks/plans.spec.js';
