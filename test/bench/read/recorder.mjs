// Loaded before a server: writes the statements of each request, with their values, to RECORD_FILE. A server without a
// framework then sends the same statements.
import { AsyncLocalStorage } from 'node:async_hooks';
import { writeFileSync } from 'node:fs';
import { Server } from 'node:http';
import pg from 'pg';

const request = new AsyncLocalStorage();
const recorded = {};

const { emit } = Server.prototype;
Server.prototype.emit = function (event, ...args) {
  if (event !== 'request') return emit.call(this, event, ...args);
  return request.run(args[0].url, () => emit.call(this, event, ...args));
};

const { query } = pg.Client.prototype;
pg.Client.prototype.query = function (config, ...args) {
  const url = request.getStore();
  if (url && config?.text) {
    (recorded[url] ??= []).push({ name: config.name, text: config.text, values: config.values ?? [] });
    writeFileSync(process.env.RECORD_FILE, JSON.stringify(recorded));
  }
  return query.call(this, config, ...args);
};
