// A minimal HTTP client: one keep-alive connection, one request at a time. Ten thousand agents with node:http would use
// the core that PostgreSQL needs.
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';

export class Connection {
  #socket = null;
  #text = '';
  #settle = null;
  #fail = null;

  constructor(port, localAddress, isTls = false) {
    this.port = port;
    this.localAddress = localAddress;
    this.isTls = isTls;
  }

  /** Sends a request unchanged; returns {status, body}. Rejects if the connection ends before the answer. */
  request(text) {
    return new Promise((settle, fail) => {
      this.#settle = settle;
      this.#fail = fail;
      this.#socket ??= this.#open();
      this.#socket.write(text);
    });
  }

  close() {
    this.#socket?.destroy();
  }

  #open() {
    const target = { port: this.port, host: '127.0.0.1', localAddress: this.localAddress, noDelay: true };
    // The certificate of the bench is signed by itself.
    const socket = this.isTls ? connectTls({ ...target, rejectUnauthorized: false }) : connect(target);
    socket.on('data', (chunk) => this.#read(chunk.toString('latin1')));
    socket.on('error', (error) => this.#fail?.(error));
    socket.on('close', () => {
      this.#socket = null;
      this.#text = '';
      this.#fail?.(new Error('the gateway closed the connection'));
    });
    return socket;
  }

  #read(chunk) {
    this.#text += chunk;
    const head = this.#text.indexOf('\r\n\r\n');
    if (head < 0) return;
    const status = Number(this.#text.slice(9, 12));
    const length = /\r\ncontent-length: (\d+)/i.exec(this.#text.slice(0, head + 2));
    // A refusal is sent in chunks. Its status is enough, so the connection is closed.
    if (!length && status !== 204) return this.#end({ status, body: '' }, true);
    const begin = head + 4;
    const end = begin + Number(length?.[1] ?? 0);
    if (this.#text.length < end) return;
    const body = this.#text.slice(begin, end);
    this.#text = this.#text.slice(end);
    this.#end({ status, body }, false);
  }

  #end(answer, isLast) {
    const settle = this.#settle;
    this.#settle = this.#fail = null;
    if (isLast) {
      this.#socket?.destroy();
      this.#socket = null;
    }
    settle?.(answer);
  }
}
