import { PageRefusal } from '../http-answers.js';
import { RetainedMessages } from './retained-messages.js';
import type { RetainedMessage } from './retained-snapshot.js';
import type { PageSources } from './page-sources.js';

const DEFAULT_RESULTS = 50;
const MOST_RESULTS = 100;
const MOST_SEARCHED = 256;

/** Which part of a list a request asks for. */
export interface ListQuery {
  page: number;
  results: number;
  /** Part of a topic, in lower case. Empty: all. */
  search: string;
}

interface ListedTopic {
  topic: string;
  messages: number;
  retained: boolean;
}

/** @throws PageRefusal query_invalid */
export function listQuery(url: string): ListQuery {
  const parameters = parametersOf(url);
  const search = (parameters.get('search') ?? '').toLowerCase();
  if (search.length > MOST_SEARCHED) throw invalid(`\`search\` has at most ${MOST_SEARCHED} characters.`);
  return {
    page: integerOf(parameters.get('page'), 'page', 1, 1_000_000),
    results: integerOf(parameters.get('results'), 'results', DEFAULT_RESULTS, MOST_RESULTS),
    search,
  };
}

export const parametersOf = (url: string): URLSearchParams => new URLSearchParams(url.split('?').slice(1).join('?'));

/** @throws PageRefusal query_invalid for a number outside 1 to `most` */
export function integerOf(text: string | null, name: string, absent: number, most: number): number {
  if (text === null) return absent;
  const value = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > most) throw invalid(`\`${name}\` is a number from 1 to ${most}.`);
  return value;
}

export const invalid = (detail: string): PageRefusal => new PageRefusal(400, 'query_invalid', detail);

/** The lists of the page. Each answer contains one page of a list, and what its limits exclude. */
export class PageLists {
  private readonly retainedMessages: RetainedMessages;

  constructor(private readonly sources: PageSources) {
    this.retainedMessages = new RetainedMessages(sources);
  }

  async topics(query: ListQuery) {
    const { topics, countedFor } = this.sources;
    const { messages, is_complete } = await this.readRetained();
    const retained = new Set(messages.map(({ topic }) => topic));
    const rows: ListedTopic[] = [];
    for (const [topic, count] of topics.entries())
      rows.push({ topic, messages: count, retained: retained.delete(topic) });
    for (const topic of retained) rows.push({ topic, messages: 0, retained: true });
    const found = rows.filter(matches(query)).sort((one, other) => (one.topic < other.topic ? -1 : 1));
    return {
      ...partOf(found, query),
      since: topics.since,
      counted_for: countedFor,
      uncounted_messages: topics.uncounted,
      retained_complete: is_complete,
    };
  }

  async retained(query: ListQuery) {
    const { messages, is_complete } = await this.readRetained();
    return { ...partOf<RetainedMessage>(messages.filter(matches(query)), query), is_complete };
  }

  clients({ page, results }: ListQuery) {
    const { clients, identity } = this.sources;
    const items = clients.slice((page - 1) * results, results);
    return { items, ...totals(clients.size, page, results), node_id: identity.node_id };
  }

  private async readRetained() {
    try {
      return await this.retainedMessages.read();
    } catch {
      throw new PageRefusal(503, 'broker_unavailable', 'The broker does not respond. Try again in a moment.');
    }
  }
}

const matches =
  ({ search }: ListQuery) =>
  ({ topic }: { topic: string }): boolean =>
    search === '' || topic.toLowerCase().includes(search);

/** One page of the rows, and the numbers of all. */
export const partOf = <T>(rows: readonly T[], { page, results }: ListQuery) => ({
  items: rows.slice((page - 1) * results, page * results),
  ...totals(rows.length, page, results),
});

const totals = (total: number, page: number, results: number) => ({
  page,
  total_results: total,
  total_pages: Math.ceil(total / results),
});
