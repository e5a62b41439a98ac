import { DatabaseDiagnosis, fail, ok, type Finding, type OperatorSession } from '@libs/operator';
import { askRedis } from '@libs/queue/setup';

const CHECK = 'queue';

/** Checks the wake-up queue. Without it all work continues, some seconds later. */
export async function checkQueue(queueUrl: string | null, session: OperatorSession | null): Promise<Finding[]> {
  if (queueUrl === 'off') return [ok(CHECK, 'off; workers poll the database')];
  if (queueUrl !== null) return [await checkRedis(queueUrl)];
  return session ? [await new DatabaseDiagnosis(session).queue()] : [];
}

async function checkRedis(url: string): Promise<Finding> {
  const { host } = new URL(url);
  try {
    const policy = await askRedis(url, async (redis) => {
      await redis.ping();
      return redis.config('GET', 'maxmemory-policy').catch(() => null);
    });
    return policyFinding(host, policy);
  } catch (error) {
    const todo = 'Start Redis, or correct QUEUE_URL. Until then the workers poll the database.';
    return fail(CHECK, `Redis at ${host} does not answer: ${(error as Error).message}`, todo);
  }
}

function policyFinding(host: string, answer: unknown): Finding {
  const policy = Array.isArray(answer) ? String(answer[1]) : null;
  if (policy === null) return ok(CHECK, `Redis at ${host} answers; it does not report its maxmemory-policy`);
  if (policy === 'noeviction') return ok(CHECK, `Redis at ${host} answers; maxmemory-policy noeviction`);
  const todo = 'Redis can delete wake-ups when its memory is full. Run: CONFIG SET maxmemory-policy noeviction';
  return fail(CHECK, `Redis at ${host} has maxmemory-policy ${policy}`, todo);
}
