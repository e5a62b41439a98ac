import { startText } from '@libs/domain/starts';

const PATIENCE_MS = 3_000;

/**
 * A warning when Redis of `QUEUE_URL` does not answer, or null. No refusal: without the queue, workers find their work in the
 * database. Never contains the password.
 */
export async function checkQueue(queueUrl: string | null | undefined): Promise<string | null> {
  if (!queueUrl?.startsWith('redis')) return null;
  // Only installations with Redis load its client.
  const { Redis } = await import('ioredis');
  const redis = new Redis(queueUrl, {
    lazyConnect: true,
    retryStrategy: null,
    enableReadyCheck: false,
    disconnectTimeout: 100,
  });
  let failure: Error | null = null;
  // The event has the cause. The command reports only a closed connection.
  redis.on('error', (error: Error) => (failure ??= error));
  const patience = setTimeout(() => redis.disconnect(), PATIENCE_MS);
  try {
    await redis.connect();
    await redis.ping();
    return null;
  } catch (error) {
    const { host } = new URL(queueUrl);
    return startText('queue_away', { server: host, reason: reasonOf(failure ?? (error as Error)) });
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
