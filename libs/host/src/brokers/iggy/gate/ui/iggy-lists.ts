import { invalid, integerOf, parametersOf, partOf, type ListQuery } from '../../../../gate/ui/page-lists.js';
import { previewOf } from '../../../../gate/ui/payload-preview.js';
import type { IggyAdmin } from '../../server/iggy-admin.js';
import { bytesOf } from '../../server/iggy-gauges.js';

const DEFAULT_MESSAGES = 20;
const MOST_MESSAGES = 50;
const MICROSECONDS = 1_000;
/** Any number. Nothing is stored for the consumer, because no offset is committed. */
const CONSUMER = 1;

interface Named {
  id: number;
  name: string;
  /** Microseconds since the epoch. */
  created_at: number;
  /** With its unit, such as `276 B`. */
  size: string;
  messages_count: number;
}

interface Stream extends Named {
  topics_count: number;
}

interface Topic extends Named {
  partitions_count: number;
  partitions?: { id: number; current_offset: number; segments_count: number; size: string; messages_count: number }[];
}

interface Polled {
  current_offset: number;
  messages: { header: { offset: number; timestamp: number }; payload: string }[];
}

/** The place of a topic. */
export interface TopicPlace {
  stream: string;
  topic: string;
}

export const pathOf = ({ stream, topic }: TopicPlace): string => `/streams/${stream}/topics/${topic}`;

/** The lists of the page, as the server returns them to the user of the client. */
export class IggyLists {
  constructor(private readonly server: IggyAdmin) {}

  async streams(query: ListQuery) {
    const streams = await this.server.ask<Stream[]>('GET', '/streams');
    return partOf(streams.filter(isNamed(query)).map(streamRow), query);
  }

  async topics(stream: string, query: ListQuery) {
    const { topics, ...own } = await this.server.ask<Stream & { topics: Topic[] }>('GET', `/streams/${stream}`);
    return { stream: streamRow(own), ...partOf(topics.filter(isNamed(query)).map(topicRow), query) };
  }

  /** The topic with its partitions, one page of them. */
  async topic(place: TopicPlace, query: ListQuery) {
    const { partitions = [], ...own } = await this.server.ask<Topic>('GET', pathOf(place));
    const rows = partitions.map(({ id, current_offset, segments_count, size, messages_count }) => ({
      ...{ id, messages: messages_count, bytes: bytesOf(size), segments: segments_count },
      last_offset: messages_count === 0 ? null : current_offset,
    }));
    return { topic: topicRow(own), ...partOf(rows, query) };
  }

  /** Messages of a partition from an offset on, or the newest ones without `offset`. */
  async messages(place: TopicPlace, url: string) {
    const parameters = parametersOf(url);
    const partition = numberOf(parameters, 'partition') ?? 0;
    const offset = numberOf(parameters, 'offset');
    const count = integerOf(parameters.get('results'), 'results', DEFAULT_MESSAGES, MOST_MESSAGES);
    const from = offset === null ? 'kind=last&value=0' : `kind=offset&value=${offset}`;
    const query = `consumer_id=${CONSUMER}&partition_id=${partition}&${from}&count=${count}&auto_commit=false`;
    const polled = await this.server.ask<Polled>('GET', `${pathOf(place)}/messages?${query}`);
    const items = polled.messages.map(({ header, payload }) => ({
      ...{ offset: header.offset, at: isoOf(header.timestamp) },
      ...previewOf(Buffer.from(payload, 'base64')),
    }));
    return { partition, items, last_offset: polled.current_offset };
  }
}

const isNamed =
  ({ search }: ListQuery) =>
  ({ name }: Named): boolean =>
    search === '' || name.toLowerCase().includes(search);

const namedRow = ({ id, name, created_at: createdAt, size, messages_count: messages }: Named) => ({
  ...{ id, name, messages, bytes: bytesOf(size), created_at: isoOf(createdAt) },
});

const streamRow = (stream: Stream) => ({ ...namedRow(stream), topics: stream.topics_count });

const topicRow = (topic: Topic) => ({ ...namedRow(topic), partitions: topic.partitions_count });

const isoOf = (microseconds: number): string => new Date(microseconds / MICROSECONDS).toISOString();

/** Null without the parameter. @throws PageRefusal query_invalid */
function numberOf(parameters: URLSearchParams, name: string): number | null {
  const text = parameters.get(name);
  if (text === null) return null;
  if (!/^\d{1,15}$/.test(text)) throw invalid(`\`${name}\` is a number from 0 on.`);
  return Number(text);
}
