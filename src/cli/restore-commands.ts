import type { Command } from 'commander';
import {
  type Disagreement,
  type ReversedCharge,
  type HeldCharge,
  type Reconciliation,
  ReconciliationService,
  type UnlistedShop,
} from '../reconciliation/reconciliation.service.js';
import { skipLostIds } from '../platform/database/after-restore.js';
import { Database } from '../platform/database/database.js';
import { administer } from './administration.js';
import { answer, CommandError, JSON_OPTION, type Terminal } from './terminal.js';

/** The steps of an operator after a restore, in this order: docs/operate/backup-and-restore.md. */
export function addRestoreCommands(program: Command, terminal: Terminal): void {
  addAfterRestore(program, terminal);
  addReconcile(program, terminal);
}

function addAfterRestore(program: Command, terminal: Terminal): void {
  program
    .command('after-restore')
    .description('skip ids that may have been assigned after the backup; run it before any process starts')
    .option(...JSON_OPTION)
    .action(async (_, command: Command) => {
      await administer(terminal, async (context) => {
        const sequences = await skipLostIds(context.get(Database));
        const lines = sequences.map(({ name, value }) => `${name} continues after ${value}`);
        answer(terminal, command, { sequences }, lines);
      });
    });
}

function addReconcile(program: Command, terminal: Terminal): void {
  program
    .command('reconcile')
    .description('compare the charges of providers with the payments of this database')
    .requiredOption(
      '--since <time>',
      'compare charges from this time on, such as 2026-11-22T04:00:00Z: well before the backup',
    )
    .option('--give-back <references>', 'void or refund these unknown charges: their references, separated by commas')
    .option(...JSON_OPTION)
    .action(async (options: { since: string; giveBack?: string }, command: Command) => {
      const since = parseTime(options.since);
      await administer(
        terminal,
        async (context) => {
          const service = context.get(ReconciliationService);
          const found = await service.reconcile(since);
          const given = await giveBack(service, found, options.giveBack?.split(',') ?? []);
          answer(terminal, command, toJson(found, given), linesOf(found, given));
          const left = leftOf(found, given);
          if (left > 0) throw new CommandError(`a person must decide about ${left} of these lines`);
        },
        { secrets: ['ENCRYPTION_KEY'] },
      );
    });
}

function parseTime(text: string): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw new CommandError(`--since takes a time such as 2026-11-22T04:00:00Z`);
  return time;
}

/** Refunds nothing unless all named charges are unknown: a typing error must move no money. */
async function giveBack(
  service: ReconciliationService,
  { unknown }: Reconciliation,
  references: string[],
): Promise<ReversedCharge[]> {
  const charges = references.map((reference) => {
    const charge = unknown.find((candidate) => candidate.reference === reference.trim());
    if (!charge) throw new CommandError(`--give-back: ${reference.trim()} is the reference of no unknown charge`);
    return charge;
  });
  const given: ReversedCharge[] = [];
  for (const charge of charges) given.push(await service.reverse(charge));
  return given;
}

const isSettled = ({ outcome }: ReversedCharge): boolean => outcome === 'confirmed' || outcome === 'pending';

const leftOf = ({ unknown, disagreements, unlisted }: Reconciliation, given: ReversedCharge[]): number =>
  unknown.length - given.filter(isSettled).length + disagreements.length + unlisted.length;

const fieldsOf = ({ merchantId, shopId, provider, ...charge }: HeldCharge) => ({
  merchant_id: merchantId,
  shop_id: shopId,
  provider,
  reference: charge.reference,
  provider_transaction_id: charge.transactionId,
  told_as_payment_id: charge.paymentId,
  status: charge.status,
  amount: charge.amount,
  currency: charge.currency,
  created_at: charge.createdAt.toISOString(),
});

const toJson = (
  { agreed, returnedByDispute, open, foreign, unknown, disagreements, unlisted }: Reconciliation,
  given: ReversedCharge[],
) => ({
  agreed,
  returned_by_dispute: returnedByDispute,
  open,
  foreign,
  unknown: unknown.map(fieldsOf),
  disagreements: disagreements.map((disagreement) => ({
    ...fieldsOf(disagreement),
    payment_id: disagreement.ours.paymentId,
    attempt: disagreement.ours.attempt,
    payment_status: disagreement.ours.status,
  })),
  unlisted: unlisted.map(({ merchantId, shopId, provider, reason }) => ({
    merchant_id: merchantId,
    shop_id: shopId,
    provider,
    reason,
  })),
  given_back: given.map(({ charge, outcome, reason }) => ({
    reference: charge.reference,
    outcome,
    ...(reason !== undefined && { reason }),
  })),
});

function linesOf(found: Reconciliation, given: ReversedCharge[]): string[] {
  return [
    ...found.unknown.map(lineOfUnknown),
    ...found.disagreements.map(lineOfDisagreement),
    ...found.unlisted.map(lineOfUnlisted),
    ...given.map(({ charge, outcome, reason }) => `given back ${charge.reference}: ${reason ?? outcome}`),
    ...(found.returnedByDispute > 0 ? [`${found.returnedByDispute} charges went back to payers by lost disputes`] : []),
    `${found.agreed} charges agree, ${found.open} are left to recovery, ${found.foreign} were not made by this service`,
  ];
}

const placeOf = ({ merchantId, shopId, provider }: Omit<UnlistedShop, 'reason'>): string =>
  `merchant ${merchantId}, shop ${shopId} (${provider})`;

const lineOfUnknown = (charge: HeldCharge): string =>
  `unknown: ${placeOf(charge)}: ${charge.transactionId}, reference ${charge.reference}, reported as payment ` +
  `${charge.paymentId ?? 'unknown'}, ${charge.amount} ${charge.currency}, ${charge.status}, ${charge.createdAt.toISOString()}`;

const lineOfDisagreement = (charge: Disagreement): string =>
  `disagrees: ${placeOf(charge)}: payment ${charge.ours.paymentId} is ${charge.ours.status}, ` +
  `${charge.transactionId} of its attempt ${charge.ours.attempt} is ${charge.status}, ${charge.amount} ${charge.currency}`;

const lineOfUnlisted = ({ reason, ...shop }: UnlistedShop): string =>
  `not compared: ${placeOf(shop)}: ${reason === 'no_answer' ? 'the provider does not respond' : 'the provider has no list of charges'}`;
