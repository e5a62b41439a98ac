import { IggyRefusal, type IggyAdmin } from '../../brokers/iggy/server/iggy-admin.js';

/** A topic with the defaults of its server, and one partition, so that its messages keep their order. */
const NEW_TOPIC = { partitions_count: 1, compression_algorithm: 'none', message_expiry: 0, max_topic_size: 0 };
const NOT_FOUND = 404;

/** The path of a topic in the HTTP interface. */
export const topicPath = (stream: string, topic: string): string =>
  `/streams/${encodeURIComponent(stream)}/topics/${encodeURIComponent(topic)}`;

/** The ids of the partitions of a topic. Creates the topic and its stream when they are missing. Rejects with BrokerError. */
export async function ensureTopic(admin: IggyAdmin, stream: string, topic: string): Promise<number[]> {
  const path = topicPath(stream, topic);
  const partitions = await absentAs(null, () => partitionsOf(admin, path));
  if (partitions !== null) return partitions;
  await unlessThere(admin.ask('POST', '/streams', { name: stream }));
  await unlessThere(admin.ask('POST', `/streams/${encodeURIComponent(stream)}/topics`, { name: topic, ...NEW_TOPIC }));
  return partitionsOf(admin, path);
}

/** The answer, or `absent` when the server has no such thing. */
export async function absentAs<T>(absent: T, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof IggyRefusal && error.status === NOT_FOUND) return absent;
    throw error;
  }
}

async function partitionsOf(admin: IggyAdmin, path: string): Promise<number[]> {
  const { partitions } = await admin.ask<{ partitions: { id: number }[] }>('GET', path);
  return partitions.map(({ id }) => id);
}

/** Another program may create the same at the same moment. The next read tells. */
async function unlessThere(created: Promise<unknown>): Promise<void> {
  await created.catch((error: unknown) => {
    if (!(error instanceof IggyRefusal)) throw error;
  });
}
