/** Publish and subscribe over one WebSocket of this page. */
import { call } from '../api.js';
import { clientText, countOf, element, momentOf, notify, payloadView } from '../elements.js';

const MOST_SHOWN = 200;
const LONGEST_PAUSE_MS = 15_000;
const SESSION_ENDED = 4401;
const STATES = { open: ['ok', 'Connected'], connecting: ['unknown', 'Connecting'], closed: ['bad', 'Disconnected'] };

const byId = (id) => document.getElementById(id);

/** The view "Messages". */
export class Messages {
  constructor(onSignedOut) {
    this.onSignedOut = onSignedOut;
    this.socket = null;
    this.waiting = new Map();
    this.topics = new Set();
    this.lastId = 0;
    this.failures = 0;
    this.received = 0;
    this.isPaused = false;
    this.listen(byId('subscribe-form'), (form) => this.subscribe(form.elements.topic.value));
    this.listen(byId('publish-form'), (form) => this.publish(form));
    byId('clear').addEventListener('click', () => this.clear());
    byId('pause').addEventListener('click', () => this.pause(!this.isPaused));
  }

  /** Connects unless it is connected. Connects again after a failure, with growing pauses. */
  start() {
    if (this.socket) return;
    this.isWanted = true;
    this.state('connecting');
    const socket = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ui/socket`);
    this.socket = socket;
    socket.addEventListener('message', ({ data }) => this.receive(JSON.parse(data)));
    socket.addEventListener('close', ({ code }) => this.closed(socket, code));
  }

  stop() {
    this.isWanted = false;
    clearTimeout(this.timer);
    this.socket?.close();
    this.socket = null;
    this.topics.clear();
    this.showTopics();
    this.clear();
    this.state('closed');
  }

  /** Subscribes, when the connection is open. */
  watch(topic) {
    byId('subscribe-form').elements.topic.value = topic;
    byId('publish-form').elements.topic.value = topic;
    void this.subscribe(topic).catch((error) => notify(noticeOf(byId('subscribe-form')), error.message, 'bad'));
  }

  listen(form, action) {
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      const button = form.querySelector('button[type=submit]');
      button.disabled = true;
      try {
        notify(noticeOf(form), (await action(form)) ?? '');
      } catch (error) {
        notify(noticeOf(form), error.message, 'bad');
      } finally {
        button.disabled = false;
      }
    });
  }

  async subscribe(topic) {
    this.start();
    await this.opened();
    await this.ask({ do: 'subscribe', topic });
    this.topics.add(topic);
    this.showTopics();
  }

  async unsubscribe(topic) {
    this.topics.delete(topic);
    this.showTopics();
    await this.ask({ do: 'unsubscribe', topic }).catch(() => undefined);
  }

  async publish({ elements: { topic, payload, qos, retain } }) {
    await this.opened();
    const message = { topic: topic.value, payload: payload.value, qos: Number(qos.value), retain: retain.checked };
    await this.ask({ do: 'publish', ...message });
    return `Published at ${new Date().toLocaleTimeString('en', { hourCycle: 'h23' })}.`;
  }

  opened() {
    if (this.isReady) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('The node is not connected. Try again in a moment.')), 5_000);
      this.whenReady = () => (clearTimeout(timer), resolve());
    });
  }

  ask(request) {
    return new Promise((resolve, reject) => {
      if (!this.isReady) return reject(new Error('The node is not connected. Try again in a moment.'));
      this.lastId += 1;
      this.waiting.set(this.lastId, { resolve, reject });
      this.socket.send(JSON.stringify({ id: this.lastId, ...request }));
    });
  }

  receive(message) {
    if (message.type === 'ready') return this.ready();
    if (message.type === 'message') return this.show(message);
    if (message.type === 'skipped') {
      const text = `${countOf(message.messages, 'message')} skipped: more arrive than the page shows.`;
      return notify(byId('skipped'), text, 'warn');
    }
    const request = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (message.type === 'done') request?.resolve();
    else request?.reject(new Error(message.detail));
  }

  ready() {
    this.isReady = true;
    this.failures = 0;
    this.state('open');
    this.whenReady?.();
    for (const topic of this.topics) void this.ask({ do: 'subscribe', topic }).catch(() => undefined);
  }

  closed(socket, code) {
    if (socket !== this.socket) return;
    this.socket = null;
    this.isReady = false;
    for (const { reject } of this.waiting.values()) reject(new Error('The broker closed the connection.'));
    this.waiting.clear();
    this.state('closed');
    if (code === SESSION_ENDED) return this.onSignedOut();
    if (!this.isWanted) return;
    // Returns to the sign-in if the session has ended.
    void call('GET', 'session').catch(() => undefined);
    this.failures += 1;
    this.timer = setTimeout(() => this.start(), Math.min(LONGEST_PAUSE_MS, 500 * 2 ** this.failures));
  }

  state(name) {
    const [kind, text] = STATES[name];
    if (name !== 'open') this.isReady = false;
    byId('connection').className = `badge ${kind}`;
    byId('connection').textContent = text;
  }

  show(message) {
    this.received += 1;
    byId('received-count').textContent = this.received.toLocaleString('en');
    if (this.isPaused) return;
    byId('received-empty').hidden = true;
    const marks = message.retain ? [element('span', { className: 'badge ok', text: 'retained' })] : [];
    const line = element('div', {
      className: 'bar',
      children: [clientText(message.topic), ...marks, momentOf(message.at)],
    });
    const log = byId('received');
    log.prepend(element('li', { children: [line, payloadView(message)] }));
    while (log.childElementCount > MOST_SHOWN) log.lastElementChild.remove();
  }

  pause(isPaused) {
    this.isPaused = isPaused;
    byId('pause').setAttribute('aria-pressed', String(isPaused));
    byId('pause').textContent = isPaused ? 'Resume' : 'Pause';
  }

  clear() {
    this.received = 0;
    byId('received-count').textContent = '0';
    byId('received').replaceChildren();
    byId('received-empty').hidden = false;
    notify(byId('skipped'), '');
  }

  showTopics() {
    const chips = [...this.topics].map((topic) => {
      const remove = element('button', {
        type: 'button',
        text: '×',
        'aria-label': 'Unsubscribe',
        onclick: () => this.unsubscribe(topic),
      });
      return element('li', { children: [clientText(topic), remove] });
    });
    byId('subscriptions').replaceChildren(...chips);
  }
}

const noticeOf = (form) => form.querySelector('.notice');
