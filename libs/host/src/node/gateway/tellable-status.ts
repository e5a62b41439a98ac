import type { StatusRequest } from '@libs/domain';
import { STATUS_TEXTS } from '@libs/domain/agent-protocol';
import { cutText } from '@libs/domain/storable-text';

const cutOrNull = (text: string | null, longest: number): string | null =>
  text === null ? null : cutText(text, longest);

/**
 * Cuts every text of the status to the limits of the gateway. Texts of processes and users have any length, and a node whose
 * status is refused would look dead.
 */
export function tellableStatus(status: StatusRequest): StatusRequest {
  const { runtimes, connectors, orders, refused } = status;
  const { id, error: longest, reason, lastError } = STATUS_TEXTS;
  return {
    ...status,
    runtimes: runtimes.map((runtime) => ({
      ...runtime,
      version: cutText(runtime.version, id),
      last_error: cutOrNull(runtime.last_error, longest),
    })),
    ...(connectors && {
      connectors: connectors.map((one) => ({
        ...one,
        error: cutOrNull(one.error, longest),
        ...(one.last_error !== undefined && { last_error: cutOrNull(one.last_error, lastError) }),
      })),
    }),
    ...(orders && { orders: orders.map((one) => ({ ...one, error: cutOrNull(one.error, reason) })) }),
    ...(refused && { refused: { ...refused, reason: cutText(refused.reason, reason) } }),
  };
}
