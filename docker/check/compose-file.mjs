import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';

/** A Compose file of this folder, with `extends` resolved: a service that extends another one has no keys of its own. */
export function readComposeFile(file) {
  const compose = parse(readFileSync(file, 'utf8'), { merge: true });
  const resolved = Object.entries(compose.services).map(([name, service]) => [name, extended(service, dirname(file))]);
  return { ...compose, services: Object.fromEntries(resolved) };
}

function extended(service, folder) {
  if (service.extends === undefined) return service;
  const { file, service: name } = service.extends;
  return readComposeFile(join(folder, file)).services[name];
}

/** The names of the services, each after the services that it waits for. */
export function startOrder(services) {
  const order = [];
  const visit = (name) => {
    if (order.includes(name)) return;
    Object.keys(services[name].depends_on ?? {}).forEach(visit);
    order.push(name);
  };
  Object.keys(services).forEach(visit);
  return order;
}
