const DELIVERY_DEADLINE_MS = 60_000;

/** The delivery took too long, or the process stops. Whether the mail arrived is unknown. */
export class DeliveryAbandoned extends Error {
  readonly code = 'abandoned';
}

/** Waits for a delivery, at most one minute. @throws DeliveryAbandoned */
export async function within(delivery: Promise<void>, stopping: AbortSignal): Promise<void> {
  const ended = AbortSignal.any([stopping, AbortSignal.timeout(DELIVERY_DEADLINE_MS)]);
  const abandoned = new Promise<never>((_, reject) => {
    const give = (): void => reject(new DeliveryAbandoned('the delivery was abandoned'));
    if (ended.aborted) give();
    else ended.addEventListener('abort', give, { once: true });
  });
  await Promise.race([delivery, abandoned]);
}

/** Returns the kind of an error without any part of the mail: answers of servers can contain addresses and texts. */
export function mailErrorName(error: unknown): string {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  return [code ?? (error as object).constructor.name, responseCode].filter((part) => part !== undefined).join(' ');
}
