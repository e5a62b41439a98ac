import type { Redis } from 'ioredis';

/** Redis does not answer, or refuses. Callers show the message to the operator. */
export class RedisAway extends Error {}

const PATIENCE_MS = 3_000;

/**
 * Runs `work` on one connection to Redis, for at most 3 seconds. Rejects with an error whose message is the reason, without the
 * password.
 */
export async function askRedis<T>(url: string, work: (redis: Redis) => Promise<T>): Promise<T> {
  // Only installations with Redis load its client.
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, {
    lazyConnect: true,
    retryStrategy: null,
    enableReadyCheck: false,
    disconnectTimeout: 100,
  });
  let failure: Error | null = null;
  // The event has the cause. The command reports only a closed connection.
  redis.on('error', (error: Error) => (failure ??= error));
  // Ends all pending commands.
  const patience = setTimeout(() => redis.disconnect(), PATIENCE_MS);
  try {
    await redis.connect();
    return await work(redis);
  } catch (error) {
    throw new RedisAway(reasonOf(failure ?? (error as Error)), { cause: error });
  } finally {
    clearTimeout(patience);
    redis.disconnect();
  }
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ECONNREFUSED') return 'connection refused';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'the host name is unknown';
  return message.startsWith('WRONGPASS') || message.startsWith('NOAUTH') ? 'it refuses the password' : message;
}
