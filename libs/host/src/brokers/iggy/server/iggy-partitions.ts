import type { IggyAdmin } from './iggy-admin.js';

/** Requests at once. A server may have thousands of partitions. */
const AT_ONCE = 8;

/** One partition of a server, and the offset of its newest message. Null: it never had one. */
export interface Partition {
  stream: number;
  topic: number;
  id: number;
  last: string | null;
}

interface Named {
  id: number;
}

interface TopicDetails extends Named {
  partitions: { id: number; current_offset: number; messages_count: number }[];
}

/** Every partition of the server. */
export async function partitionsOf(admin: IggyAdmin): Promise<Partition[]> {
  const streams = await admin.ask<Named[]>('GET', '/streams');
  const topics = await inTurns(streams, async ({ id: stream }) =>
    (await admin.ask<Named[]>('GET', `/streams/${stream}/topics`)).map(({ id: topic }) => ({ stream, topic })),
  );
  const found = await inTurns(topics.flat(), async ({ stream, topic }) => {
    const { partitions } = await admin.ask<TopicDetails>('GET', `/streams/${stream}/topics/${topic}`);
    return partitions.map(({ id, current_offset: offset, messages_count: count }) => ({
      ...{ stream, topic, id },
      last: count > 0 ? String(offset) : null,
    }));
  });
  return found.flat();
}

/** Writes everything that the server has in memory to the disk. */
export async function flush(admin: IggyAdmin, partitions: Partition[]): Promise<void> {
  await inTurns(partitions, ({ stream, topic, id }) =>
    admin.ask('GET', `/streams/${stream}/topics/${topic}/messages/flush/${id}/true`),
  );
}

/** The partitions whose newest message is missing or cannot be read. The server itself starts with them and says nothing. */
export async function unreadable(admin: IggyAdmin, partitions: Partition[]): Promise<Partition[]> {
  const isReadable = await inTurns(partitions, ({ stream, topic, id, last }) =>
    last === null ? true : hasMessage(admin, `/streams/${stream}/topics/${topic}/messages`, id, last),
  );
  return partitions.filter((_, index) => !isReadable[index]);
}

async function hasMessage(admin: IggyAdmin, path: string, partition: number, offset: string): Promise<boolean> {
  const query = `consumer_id=1&partition_id=${partition}&kind=offset&value=${offset}&count=1&auto_commit=false`;
  const polled = await admin.ask<{ messages: unknown[] }>('GET', `${path}?${query}`).catch(() => ({ messages: [] }));
  return polled.messages.length > 0;
}

async function inTurns<T, R>(items: readonly T[], work: (item: T) => R | Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += AT_ONCE)
    results.push(...(await Promise.all(items.slice(start, start + AT_ONCE).map(work))));
  return results;
}
