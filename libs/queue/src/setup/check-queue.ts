import { startText } from '@libs/domain/starts';
import { askRedis } from './ask-redis.js';

/**
 * A warning when Redis of `QUEUE_URL` does not answer, or null. No refusal: without the queue, workers find their work in the
 * database. Never contains the password.
 */
export async function checkQueue(queueUrl: string | null | undefined): Promise<string | null> {
  if (!queueUrl?.startsWith('redis')) return null;
  try {
    await askRedis(queueUrl, (redis) => redis.ping());
    return null;
  } catch (error) {
    return startText('queue_away', { server: new URL(queueUrl).host, reason: (error as Error).message });
  }
}
