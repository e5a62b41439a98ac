/** The three lists: topics, retained messages and clients. */
import { call } from '../api.js';
import { clientText, countOf, element, momentOf, payloadView, visibleText } from '../elements.js';
import { cell, head, pageButtons, tableOf } from '../tables.js';

const PROTOCOLS = { tcp: 'TCP', websocket: 'WebSocket', browser: 'This page', node: 'This node' };

let watchTopic = () => undefined;

/** Called with a topic that the person wants to watch. */
export function whenWatched(callback) {
  watchTopic = callback;
}

const LISTS = {
  topics: {
    columns: ['Topic', 'Messages', 'Retained', ''],
    empty: 'No topics yet. Topics appear here when clients publish.',
    row: ({ topic, messages, retained }) => [
      head(clientText(topic)),
      cell('Messages', messages.toLocaleString('en'), 'number'),
      cell('Retained', retained ? element('span', { className: 'badge ok', text: 'retained' }) : '–'),
      cell(
        null,
        element('button', { type: 'button', className: 'quiet', text: 'Watch', onclick: () => watchTopic(topic) }),
        'action',
      ),
    ],
    note: ({
      total_results: total,
      since,
      counted_for: scope,
      uncounted_messages: rest,
      retained_complete: isComplete,
    }) => [
      `${countOf(total, 'topic')}. Counts messages from clients of ${scope === 'deployment' ? 'all nodes' : 'this node'} since `,
      momentOf(since),
      '.',
      rest > 0
        ? ` ${countOf(rest, 'message')} on further topics are not listed: the list has at most 10,000 topics.`
        : '',
      isComplete ? '' : ' More retained messages exist than this page reads.',
    ],
  },
  retained: {
    columns: ['Topic', 'Payload', 'QoS'],
    empty: 'No retained messages.',
    row: (message) => [
      head(clientText(message.topic)),
      cell(null, payloadView(message)),
      cell('QoS', String(message.qos), 'number'),
    ],
    note: ({ total_results: total, is_complete: isComplete }) => [
      `${countOf(total, 'retained message')}.`,
      isComplete ? '' : ' More exist: this page reads at most 10,000 messages and 64 MiB.',
    ],
  },
  clients: {
    columns: ['Client id', 'Address', 'Protocol', 'Since', ''],
    empty: 'No clients are connected to this node.',
    row: (client, reload) => [
      head(
        client.client_id === ''
          ? element('span', { className: 'soft', text: 'chosen by the broker' })
          : clientText(client.client_id),
      ),
      cell('Address', client.address ?? '–', 'plain'),
      cell('Protocol', `${PROTOCOLS[client.protocol]}${client.tls ? ', TLS' : ''}`, 'plain'),
      cell('Since', momentOf(client.since), 'plain'),
      cell(null, disconnectButton(client, reload), 'action'),
    ],
    note: ({ total_results: total }) => [
      `${countOf(total, 'client')} of this node. Clients of other nodes are on the pages of those nodes.`,
    ],
  },
};

function disconnectButton({ id, client_id: clientId }, reload) {
  const button = element('button', { type: 'button', className: 'quiet', text: 'Disconnect' });
  button.addEventListener('click', async () => {
    const name = clientId === '' ? 'this client' : `"${visibleText(clientId.slice(0, 60))}"`;
    if (!confirm(`Disconnect ${name}? A client that reconnects automatically returns.`)) return;
    button.disabled = true;
    // A client that has left in between is no longer in the new list.
    await call('DELETE', `clients/${encodeURIComponent(id)}`).catch(() => undefined);
    await reload();
  });
  return button;
}

/** One list of the page, with its search and its pages. */
export class ListView {
  constructor(name) {
    this.name = name;
    this.section = document.getElementById(name);
    this.page = 1;
    this.latest = 0;
    this.form = this.section.querySelector('form');
    this.form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.page = 1;
      void this.load();
    });
  }

  async load() {
    const turn = ++this.latest;
    const search = this.form.elements.search?.value.trim() ?? '';
    const query = new URLSearchParams({ page: String(this.page), ...(search && { search }) });
    try {
      const answer = await call('GET', `${this.name}?${query}`);
      // An older answer must not replace a newer one.
      if (turn === this.latest) this.show(answer);
    } catch (error) {
      if (turn === this.latest)
        this.place('data-list').replaceChildren(element('p', { className: 'notice bad', text: error.message }));
    }
  }

  place(attribute) {
    return this.section.querySelector(`[${attribute}]`);
  }

  show(answer) {
    const list = LISTS[this.name];
    this.place('data-note').replaceChildren(...list.note(answer));
    if (answer.items.length === 0 && this.page > 1 && answer.total_pages > 0) {
      this.page = answer.total_pages;
      return void this.load();
    }
    const isSearch = Boolean(this.form.elements.search?.value.trim());
    const empty = element('p', { className: 'empty', text: isSearch ? 'Nothing matches this search.' : list.empty });
    const content = answer.items.length === 0 ? [empty] : [tableOf(list, answer.items, () => this.load())];
    const go = (page) => ((this.page = page), this.load());
    this.place('data-list').replaceChildren(...content, ...pageButtons(this.page, answer.total_pages, go));
  }
}
