import { randomBytes, randomUUID } from 'node:crypto';
import { ConnectorFault } from '../delivery/connector-fault.js';
import { fieldPattern } from './field-patterns.js';

type Fields = Record<string, unknown>;
/** Changes the top-level fields of a message in place. */
export type Transform = (fields: Fields) => void;

const TRANSFORMS: Record<string, (settings: Fields) => Transform> = {
  add_fields: addFields,
  update_fields: updateFields,
  delete_fields: deleteFields,
  filter_fields: filterFields,
};

const COMPUTED: Record<string, () => unknown> = {
  date_time: () => new Date().toISOString(),
  timestamp_nanos: () => Date.now() * 1e6,
  timestamp_micros: () => Date.now() * 1e3,
  timestamp_millis: () => Date.now(),
  timestamp_seconds: () => Math.floor(Date.now() / 1e3),
  uuid_v4: () => randomUUID(),
  uuid_v7: uuidV7,
};

/**
 * The enabled transforms of a configuration, applied in their order. Only JSON objects have fields. Other payloads pass
 * unchanged.
 * @throws ConnectorFault for an unsupported transform, and for unusable settings
 */
export function transformsOf(configured: Fields): (payload: Buffer) => Buffer {
  const enabled = Object.entries(configured).filter(
    ([, settings]) => (settings as Fields | null)?.['enabled'] === true,
  );
  const transforms = enabled.map(([name, settings]) => {
    const make = Object.hasOwn(TRANSFORMS, name) ? TRANSFORMS[name] : undefined;
    if (!make) throw new ConnectorFault(`this broker does not support the transform ${name}`);
    return make(settings as Fields);
  });
  return (payload) => (transforms.length === 0 ? payload : transformed(payload, transforms));
}

function transformed(payload: Buffer, transforms: readonly Transform[]): Buffer {
  const fields = fieldsIn(payload);
  if (fields === null) return payload;
  for (const transform of transforms) transform(fields);
  return Buffer.from(JSON.stringify(fields));
}

function fieldsIn(payload: Buffer): Fields | null {
  try {
    const value: unknown = JSON.parse(payload.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
  } catch {
    return null;
  }
}

function addFields(settings: Fields): Transform {
  const added = listOf(settings, 'fields').map(({ key, value }) => [keyOf(key), valueOf(value)] as const);
  return (fields) => {
    for (const [key, value] of added) put(fields, key, value());
  };
}

function updateFields(settings: Fields): Transform {
  const updates = listOf(settings, 'fields').map(({ key, value, condition }) => ({
    key: keyOf(key),
    value: valueOf(value),
    isDue: conditionOf(condition),
  }));
  return (fields) => {
    for (const { key, value, isDue } of updates) if (isDue(Object.hasOwn(fields, key))) put(fields, key, value());
  };
}

function deleteFields(settings: Fields): Transform {
  const keys = namesOf(settings, 'fields');
  return (fields) => {
    for (const key of keys) delete fields[key];
  };
}

function filterFields(settings: Fields): Transform {
  const kept = new Set(namesOf(settings, 'keep_fields'));
  const patterns = [settings['patterns'] ?? []].flat().map(fieldPattern);
  const includes = settings['include_matching'] !== false;
  return (fields) => {
    if (kept.size === 0 && patterns.length === 0) return;
    for (const [key, value] of Object.entries(fields)) {
      const matches = patterns.some((pattern) => pattern(key, value));
      if (!kept.has(key) && matches !== includes) delete fields[key];
    }
  };
}

function conditionOf(condition: unknown): (isThere: boolean) => boolean {
  if (condition === 'key_exists') return (isThere) => isThere;
  if (condition === 'key_not_exists') return (isThere) => !isThere;
  if (condition === undefined || condition === null || condition === 'always') return () => true;
  throw new ConnectorFault('transforms.update_fields has an unknown condition');
}

/** `{"static": anything}` or `{"computed": "uuid_v4"}`. */
function valueOf(spelled: unknown): () => unknown {
  const value = (spelled ?? {}) as Fields;
  if (Object.hasOwn(value, 'static')) return () => value['static'];
  const name = String(value['computed']);
  const compute = Object.hasOwn(COMPUTED, name) ? COMPUTED[name] : undefined;
  if (compute) return compute;
  throw new ConnectorFault('transforms have a value that is neither {"static": …} nor {"computed": …} of a known name');
}

function keyOf(key: unknown): string {
  if (typeof key === 'string' && key !== '') return key;
  throw new ConnectorFault('transforms have a field without a key');
}

function listOf(settings: Fields, key: string): Fields[] {
  const list = settings[key] ?? [];
  if (Array.isArray(list) && list.every((one) => typeof one === 'object' && one !== null)) return list as Fields[];
  throw new ConnectorFault(`transforms: ${key} must be a list`);
}

function namesOf(settings: Fields, key: string): string[] {
  const list = settings[key] ?? [];
  if (Array.isArray(list) && list.every((one) => typeof one === 'string')) return list;
  throw new ConnectorFault(`transforms: ${key} must be a list of names`);
}

/** Also works for keys like `__proto__`, for which an assignment would set the prototype. */
function put(fields: Fields, key: string, value: unknown): void {
  Object.defineProperty(fields, key, { value, enumerable: true, configurable: true, writable: true });
}

/** RFC 9562: 48 bits of milliseconds, then version, variant and random bits. */
function uuidV7(): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Date.now(), 0, 6);
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
