import type { ConnectorInstanceId } from '@libs/domain';
import { keptInstances } from '../connectors-files.js';
import { sessionId, type ConnectorContext } from '../connector-work.js';
import { forgetInstance, readInstanceRecord } from '../instance-record.js';
import { pause } from './pause.js';
import { RetryPace } from './retry-pace.js';
import { openSession } from './open-session.js';

/**
 * Removes the data of removed instances, above all the session of a sink: the broker would store messages for it until its disk
 * is full. Retries until it succeeds or the signal aborts.
 */
export async function forgetRemoved(
  context: ConnectorContext,
  instanceIds: readonly ConnectorInstanceId[],
  signal: AbortSignal,
): Promise<void> {
  const pace = new RetryPace();
  const { home } = context.access;
  await context.letters.keepOnly(instanceIds);
  while (!signal.aborted) {
    const removed = (await keptInstances(home)).filter((id) => !instanceIds.includes(id));
    if (removed.length === 0) return;
    await Promise.all(removed.map((id) => forget(context, id))).catch(() => undefined);
    await pause(pace.nextMs(), signal);
  }
}

async function forget(context: ConnectorContext, instanceId: ConnectorInstanceId): Promise<void> {
  const { access, deploymentId, log } = context;
  const record = await readInstanceRecord(access.home, instanceId);
  if (record?.type === 'sink') {
    // A clean session replaces the persistent one, and ends with its connection.
    const session = await openSession(access, sessionId(deploymentId, instanceId), true, async () => undefined);
    // An iggy-server has no sessions, only offsets of topics.
    if (access.iggy) await session.unsubscribe(record.topics);
    await session.end();
  }
  await forgetInstance(access.home, instanceId);
  log.info('connector forgotten', { instance: instanceId });
}
