import type { Command } from 'commander';
import { type Reencryption, ReencryptionService, type UnreadableSecret } from '../shops/reencryption.service.js';
import { administer } from './administration.js';
import { answer, CommandError, JSON_OPTION, type Terminal } from './terminal.js';

export function addSecretsCommands(program: Command, terminal: Terminal): void {
  program
    .command('secrets:reencrypt')
    .description(
      'encrypt all secrets with the first key of ENCRYPTION_KEY, bound to their rows; may be interrupted and run again',
    )
    .option(...JSON_OPTION)
    .action(async (options: { json?: boolean }, command: Command) => {
      const progress = (reencrypted: number, left: number) => {
        if (!options.json) terminal.out(`${reencrypted} re-encrypted, ${left} left\n`);
      };
      await administer(
        terminal,
        async (context) => {
          const result = await context.get(ReencryptionService).run(progress);
          answer(terminal, command, toJson(result), linesOf(result));
          if (result.unreadable.length > 0) {
            throw new CommandError(`${secrets(result.unreadable.length)} could not be re-encrypted`);
          }
        },
        { secrets: ['ENCRYPTION_KEY'] },
      );
    });
}

/**
 * A key is droppable when no secret is encrypted with it; before it is removed, every process must have the current key
 * first.
 */
const toJson = ({ reencrypted, unreadable, keys }: Reencryption) => ({
  reencrypted,
  unreadable: unreadable.map(({ shopId, paymentId, customerId, endpointId, column, keyId, reason }) => ({
    shop_id: shopId,
    ...(customerId !== null && { customer_id: customerId }),
    ...(paymentId !== null && { payment_id: paymentId }),
    ...(endpointId !== null && { endpoint_id: endpointId }),
    secret: column,
    key_id: keyId,
    reason,
  })),
  keys: keys.map(({ id, secrets, isConfigured }, index) => ({
    id,
    secrets,
    configured: isConfigured,
    current: index === 0,
    droppable: isDroppable(index, secrets),
  })),
});

function linesOf({ reencrypted, unreadable, keys }: Reencryption): string[] {
  const current = keys[0]!.id;
  return [
    `${secrets(reencrypted)} re-encrypted with key ${current}`,
    ...unreadable.map(lineOfUnreadable),
    ...keys.map(({ id, secrets: count, isConfigured }, index) => {
      if (index === 0) return `key ${id}: ${secrets(count)}, the current key`;
      if (!isConfigured) return `key ${id}: ${secrets(count)}, not in ENCRYPTION_KEY`;
      return isDroppable(index, count)
        ? `key ${id}: not needed, remove it once every process has key ${current} first`
        : `key ${id}: ${secrets(count)}, still needed`;
    }),
  ];
}

const placeOf = ({ shopId, paymentId, customerId, endpointId }: UnreadableSecret): string => {
  if (customerId !== null) return `a payment method of customer ${customerId}`;
  if (endpointId !== null) return `webhook endpoint ${endpointId}`;
  return paymentId === null ? `shop ${shopId}` : `payment ${paymentId} of shop ${shopId}`;
};

const lineOfUnreadable = (secret: UnreadableSecret): string => {
  const { column, keyId, reason } = secret;
  const place = placeOf(secret);
  return reason === 'unknown_key'
    ? `${place}: ${column} is encrypted with key ${keyId}, which is not in ENCRYPTION_KEY`
    : `${place}: ${column} is damaged, key ${keyId} cannot decrypt it`;
};

const isDroppable = (index: number, count: number): boolean => index > 0 && count === 0;

const secrets = (count: number): string => (count === 1 ? '1 secret' : `${count} secrets`);
