// Loaded before a server: writes the statements of each request, with their values, to RECORD_FILE. A server without a
// framework then sends the same statements.
import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import { writeFileSync } from 'node:fs';
import { Server } from 'node:http';

const request = new AsyncLocalStorage();
const recorded = {};

const { emit } = Server.prototype;
Server.prototype.emit = function (event, ...args) {
  if (event !== 'request') return emit.call(this, event, ...args);
  return request.run(args[0].url, () => emit.call(this, event, ...args));
};

// A program is a bundle with a pg of its own, so no import finds its class. Each connection is an emitter of events.
const { init } = EventEmitter;
EventEmitter.init = function (...args) {
  init.apply(this, args);
  if (typeof this.query === 'function' && typeof this.escapeIdentifier === 'function') recordQueriesOf(this);
};

const recordedClasses = new Set();

function recordQueriesOf(client) {
  let owner = client;
  while (!Object.hasOwn(owner, 'query')) owner = Object.getPrototypeOf(owner);
  if (recordedClasses.has(owner)) return;
  recordedClasses.add(owner);
  const { query } = owner;
  owner.query = function (config, ...args) {
    const url = request.getStore();
    if (url && config?.text) {
      (recorded[url] ??= []).push({ name: config.name, text: config.text, values: config.values ?? [] });
      writeFileSync(process.env.RECORD_FILE, JSON.stringify(recorded));
    }
    return query.call(this, config, ...args);
  };
}
