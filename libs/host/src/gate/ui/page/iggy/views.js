/** The lists of streams and topics, and the messages of a topic. */
import { call } from '../api.js';
import { clientText, countOf, element, momentOf, notify, payloadView, sizeOf } from '../elements.js';
import { cell, head, pageButtons, tableOf } from '../tables.js';

const byId = (id) => document.getElementById(id);
const search = byId('search-form');
const reading = byId('read-form');
const sending = byId('send-form');
const state = { page: 1, latest: 0, load: async () => undefined, topic: null };

search.addEventListener('submit', (event) => {
  event.preventDefault();
  state.page = 1;
  void state.load();
});
reading.addEventListener('submit', (event) => {
  event.preventDefault();
  void state.load();
});
sending.addEventListener('submit', (event) => {
  event.preventDefault();
  void send();
});

const LISTS = {
  streams: {
    title: 'Streams',
    columns: ['Stream', 'Topics', 'Messages', 'Size', 'Created'],
    empty: 'No streams yet. Clients create streams and topics.',
    row: (stream) => [
      head(linkTo(`#/streams/${stream.id}`, stream.name)),
      cell('Topics', stream.topics.toLocaleString('en'), 'number'),
      ...numbersOf(stream),
    ],
    note: ({ total_results: total }) => `${countOf(total, 'stream')}.`,
  },
  topics: {
    title: 'Topics',
    columns: ['Topic', 'Partitions', 'Messages', 'Size', 'Created'],
    empty: 'No topics in this stream.',
    row: (topic, stream) => [
      head(linkTo(`#/streams/${stream}/topics/${topic.id}`, topic.name)),
      cell('Partitions', topic.partitions.toLocaleString('en'), 'number'),
      ...numbersOf(topic),
    ],
    note: ({ total_results: total }) => `${countOf(total, 'topic')}.`,
  },
};
const MESSAGES = {
  columns: ['Offset', 'Time', 'Payload'],
  row: (message) => [
    cell('Offset', message.offset.toLocaleString('en'), 'number'),
    cell('Time', momentOf(message.at), 'plain'),
    cell(null, payloadView(message)),
  ],
};

/** Removes everything that a signed-out person must not see. */
export function clear() {
  state.latest += 1;
  state.topic = null;
  for (const id of ['list-rows', 'messages-rows', 'place', 'list-note', 'messages-note']) byId(id).replaceChildren();
  sending.reset();
  notify(sending.querySelector('.notice'), '');
}

export function showStreams() {
  return showList(LISTS.streams, 'streams', { place: () => [] });
}

export function showTopics(stream) {
  return showList(LISTS.topics, `streams/${stream}`, { stream, place: (answer) => [[answer.stream.name]] });
}

async function showList(list, path, { stream, place }) {
  show('list');
  byId('list-title').textContent = list.title;
  search.reset();
  state.page = 1;
  const load = (state.load = async () => {
    const turn = ++state.latest;
    const text = search.elements.search.value.trim();
    const query = new URLSearchParams({ page: String(state.page), ...(text && { search: text }) });
    const answer = await asked(turn, 'list-rows', () => call('GET', `${path}?${query}`));
    if (answer === null) return;
    showPlace(place(answer));
    byId('list-note').textContent = list.note(answer);
    const empty = element('p', { className: 'empty', text: text ? 'Nothing matches this search.' : list.empty });
    const rows = answer.items.length === 0 ? empty : tableOf(list, answer.items, stream);
    const go = (page) => ((state.page = page), load());
    byId('list-rows').replaceChildren(rows, ...pageButtons(state.page, answer.total_pages, go));
  });
  await load();
}

export async function showMessages(stream, topic) {
  show('messages');
  state.topic = `streams/${stream}/topics/${topic}`;
  notify(sending.querySelector('.notice'), '');
  const turn = ++state.latest;
  const path = state.topic;
  const found = await asked(turn, 'messages-rows', () =>
    Promise.all([call('GET', `streams/${stream}?results=1`), call('GET', `${path}?results=100`)]),
  );
  if (found === null) return;
  const [inStream, { topic: own, items: partitions }] = found;
  showPlace([[inStream.stream.name, `#/streams/${stream}`], [own.name]]);
  const option = ({ id }) => element('option', { value: String(id), text: String(id) });
  reading.elements.partition.replaceChildren(...partitions.map(option));
  const any = element('option', { value: '', text: 'chosen by the broker' });
  sending.elements.partition.replaceChildren(any, ...partitions.map(option));
  const fullest = partitions.find(({ messages }) => messages > 0);
  reading.elements.partition.value = String(fullest?.id ?? partitions[0]?.id ?? 0);
  reading.elements.offset.value = '';
  state.load = () => readMessages(path);
  await state.load();
}

async function readMessages(path) {
  const turn = ++state.latest;
  const { partition, offset } = reading.elements;
  const query = new URLSearchParams({
    partition: partition.value || '0',
    ...(offset.value !== '' && { offset: offset.value }),
  });
  const answer = await asked(turn, 'messages-rows', () => call('GET', `${path}/messages?${query}`));
  if (answer === null) return;
  const newestFirst = [...answer.items].reverse();
  const isFrom = offset.value !== '';
  const note =
    answer.items.length === 0
      ? ''
      : `${countOf(answer.items.length, 'message')} of partition ${answer.partition}, ${isFrom ? `from offset ${offset.value}` : 'the newest first'}. The last offset is ${answer.last_offset}.`;
  byId('messages-note').textContent = note;
  const empty = element('p', { className: 'empty', text: 'No messages here.' });
  byId('messages-rows').replaceChildren(
    answer.items.length === 0 ? empty : tableOf(MESSAGES, isFrom ? answer.items : newestFirst),
  );
}

async function send() {
  const { payload, partition } = sending.elements;
  const button = sending.querySelector('button');
  const notice = sending.querySelector('.notice');
  const chosen = partition.value === '' ? null : Number(partition.value);
  button.disabled = true;
  try {
    await call('POST', `${state.topic}/messages`, { payload: payload.value, partition: chosen });
    notify(notice, `Sent at ${new Date().toLocaleTimeString('en', { hourCycle: 'h23' })}.`);
    payload.value = '';
    await state.load();
  } catch (error) {
    notify(notice, error.message, 'bad');
  } finally {
    button.disabled = false;
  }
}

/** Null when a newer request has replaced this one, or the call failed: then the reason is shown. */
async function asked(turn, place, request) {
  try {
    const answer = await request();
    return turn === state.latest ? answer : null;
  } catch (error) {
    if (turn === state.latest)
      byId(place).replaceChildren(element('p', { className: 'notice bad', text: error.message }));
    return null;
  }
}

function show(section) {
  for (const id of ['list', 'messages']) byId(id).hidden = id !== section;
}

/** Names from the stream down, each with its address. The last one has none. */
function showPlace(names) {
  const steps = [['All streams', names.length === 0 ? null : '#/'], ...names];
  const items = steps.map(([name, address]) => {
    const shown = address ? linkTo(address, name) : clientText(name, { name: 'strong' });
    return element('li', { children: [shown] });
  });
  byId('place').replaceChildren(...items);
}

function linkTo(address, name) {
  return element('a', { href: address, children: [clientText(name)] });
}

const numbersOf = ({ messages, bytes, created_at: createdAt }) => [
  cell('Messages', messages.toLocaleString('en'), 'number'),
  cell('Size', sizeOf(bytes), 'number'),
  cell('Created', momentOf(createdAt), 'plain'),
];
