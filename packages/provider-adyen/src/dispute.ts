import type { DisputeKind, DisputeStatus, ReportedDispute } from '@payment-orchestrator/provider-kit';
import { fromAdyenAmount } from './amount.js';
import { additionalText, dateOf, type Item, requireAmount } from './item.js';

type Rule = [kind: DisputeKind, status: DisputeStatus];

/**
 * Disputes by event code: the kind, and the status unless `disputeStatus` says more. In the order in which they follow
 * one another: a second chargeback ends a pre-arbitration of the issuer, and begins one of the merchant.
 * https://docs.adyen.com/risk-management/disputes-api/dispute-notifications
 */
const EVENTS: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['REQUEST_FOR_INFORMATION', ['inquiry', 'open']],
  ['NOTIFICATION_OF_CHARGEBACK', ['chargeback', 'open']],
  ['DISPUTE_OPENED_WITH_CHARGEBACK', ['chargeback', 'open']],
  ['CHARGEBACK', ['chargeback', 'open']],
  ['INFORMATION_SUPPLIED', ['chargeback', 'under_review']],
  ['DISPUTE_DEFENSE_PERIOD_ENDED', ['chargeback', 'lost']],
  ['CHARGEBACK_REVERSED', ['chargeback', 'under_review']],
  ['ISSUER_RESPONSE_TIMEFRAME_EXPIRED', ['chargeback', 'won']],
  ['PREARBITRATION_OPEN', ['pre_arbitration', 'open']],
  ['PREARBITRATION_DECLINED', ['pre_arbitration', 'under_review']],
  ['PREARBITRATION_ACCEPTED', ['pre_arbitration', 'accepted']],
  ['PREARBITRATION_ISSUER_WITHDRAWN', ['pre_arbitration', 'won']],
  ['SCHEME_ARBITRATION', ['pre_arbitration', 'under_review']],
  ['SCHEME_ARBITRATION_LOST', ['pre_arbitration', 'lost']],
  ['SECOND_CHARGEBACK', ['chargeback', 'lost']],
  ['PREARBITRATION_LOST', ['pre_arbitration', 'lost']],
  ['PREARBITRATION_WON', ['pre_arbitration', 'won']],
  ['SCHEME_ARBITRATION_WON', ['pre_arbitration', 'won']],
]);

/**
 * They say that there is a dispute, or that its amount was taken. Without `disputeStatus` they do not say how far it is:
 * it may have been defended or accepted before CHARGEBACK.
 */
const ANNOUNCEMENTS = new Set([
  'REQUEST_FOR_INFORMATION',
  'NOTIFICATION_OF_CHARGEBACK',
  'DISPUTE_OPENED_WITH_CHARGEBACK',
  'CHARGEBACK',
]);

/** The values of `disputeStatus`; a request for information has the first three. */
const STATUSES: ReadonlyMap<string, DisputeStatus> = new Map([
  ['Unresponded', 'open'],
  ['Responded', 'under_review'],
  ['Expired', 'lost'],
  ['Undefended', 'open'],
  ['Pending', 'under_review'],
  ['Accepted', 'accepted'],
  ['Lost', 'lost'],
  ['Won', 'won'],
]);

/** Events whose status is documented, regardless of `disputeStatus`: a reversed chargeback can become a second one. */
const FIXED = new Set(['CHARGEBACK_REVERSED']);

export const isDispute = (eventCode: string): boolean => EVENTS.has(eventCode);

/** When the event of a dispute happened. Adyen's time has seconds: those of one second are in the order of their codes. */
export function disputeTime({ eventCode, occurredAt }: Item): Date | undefined {
  return occurredAt && new Date(occurredAt.getTime() + [...EVENTS.keys()].indexOf(eventCode));
}

/** The dispute as the item reports it; `undefined`: it is about no dispute. */
export function reportedDispute(item: Item): ReportedDispute | undefined {
  const rule = EVENTS.get(item.eventCode);
  if (!rule) return undefined;
  const { value, currency } = requireAmount(item);
  const { status, isAnnouncement } = statusOf(item, rule[1]);
  const dueBy = additionalText(item, 'defensePeriodEndsAt');
  const canDefend = status === 'open' && additionalText(item, 'defendable') !== 'false';
  const evidenceDueBy = canDefend ? dateOf(dueBy) : undefined;
  return {
    id: item.pspReference,
    kind: isInquiry(item) ? 'inquiry' : rule[0],
    status,
    ...(isAnnouncement && { isAnnouncement }),
    // the minor units themselves for a currency that we never send
    amount: fromAdyenAmount(value, currency) ?? String(value),
    currency,
    ...codesOf(item),
    ...(evidenceDueBy && { evidenceDueBy }),
  };
}

/** Fields of a dispute for the merchant. */
export function disputeData(item: Item): Record<string, string> {
  const status = additionalText(item, 'disputeStatus');
  return isDispute(item.eventCode) && status !== undefined ? { dispute_status: status } : {};
}

function statusOf(item: Item, usual: DisputeStatus): { status: DisputeStatus; isAnnouncement?: boolean } {
  if (FIXED.has(item.eventCode)) return { status: usual };
  const reported = STATUSES.get(additionalText(item, 'disputeStatus') ?? '');
  if (reported) return { status: reported };
  const isAutoDefended = usual === 'open' && additionalText(item, 'autoDefended') === 'true';
  return isAutoDefended
    ? { status: 'under_review' }
    : { status: usual, isAnnouncement: ANNOUNCEMENTS.has(item.eventCode) };
}

/** Events about evidence do not say of what; a request for information has its own statuses. */
function isInquiry(item: Item): boolean {
  const isAboutEvidence =
    item.eventCode === 'INFORMATION_SUPPLIED' || item.eventCode === 'DISPUTE_DEFENSE_PERIOD_ENDED';
  const status = additionalText(item, 'disputeStatus') ?? '';
  return isAboutEvidence && ['Unresponded', 'Responded', 'Expired'].includes(status);
}

/** Adyen passes the scheme's code on; ours tells schemes apart. */
function codesOf(item: Item): Pick<ReportedDispute, 'reasonCode' | 'networkReasonCode'> {
  const code = additionalText(item, 'chargebackReasonCode') ?? additionalText(item, 'rfiReasonCode');
  if (code === undefined) return {};
  const scheme = additionalText(item, 'chargebackSchemeCode') ?? additionalText(item, 'rfiSchemeCode');
  return { networkReasonCode: code, reasonCode: scheme === undefined ? code : `${scheme}_${code}` };
}
