import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ts from 'typescript';
import { parse as parseYaml } from 'yaml';
import { readConfig as readMainApiConfig } from '../../apps/main-api/src/config.js';
import { readConfig as readSupervisorConfig } from '../../apps/supervisor/src/config.js';
import { readConfig as readLauncherConfig } from '../../libs/launcher/src/config.js';
import { nodesOf, parse, ROOT } from './sources/sources.js';

interface Service {
  image: string;
  command?: string[];
  environment?: Record<string, string | number>;
  secrets?: string[];
  volumes?: string[];
  ports?: string[];
  healthcheck?: { test?: string[]; disable?: boolean };
  depends_on?: Record<string, { condition: string }>;
}
interface Compose {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
  secrets: Record<string, { file: string }>;
}

const text = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const compose = parseYaml(text('docker/compose.yml'), { merge: true }) as Compose;
const services = Object.entries(compose.services);
const dockerfile = text('docker/Dockerfile');

/** The part of the Compose specification that this file uses; a misspelt name is not part of it. */
const names = { type: 'array', items: { type: 'string' }, uniqueItems: true };
const closed = (properties: object, required: string[] = []) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const mapOf = (values: object) => ({ type: 'object', additionalProperties: values });
const duration = { type: 'string', pattern: '^\\d+(ms|s|m)$' };
const healthcheck = {
  oneOf: [
    closed({ disable: { const: true } }, ['disable']),
    closed(
      {
        test: { type: 'array', minItems: 2, items: { type: 'string' } },
        interval: duration,
        timeout: duration,
        start_period: duration,
        retries: { type: 'integer', minimum: 1 },
      },
      ['test', 'interval', 'timeout', 'retries'],
    ),
  ],
};
const service = closed(
  {
    image: { type: 'string', pattern: '^[a-z0-9/-]+:[a-z0-9.-]+$' },
    build: closed({ context: { const: '..' }, dockerfile: { const: 'docker/Dockerfile' } }, ['context', 'dockerfile']),
    command: { type: 'array', minItems: 1, items: { type: 'string' } },
    environment: mapOf({ type: ['string', 'integer'] }),
    secrets: names,
    volumes: names,
    ports: { ...names, items: { type: 'string', pattern: '^127\\.0\\.0\\.1:\\d+:\\d+$' } },
    networks: { anyOf: [names, mapOf(closed({ ipv4_address: { type: 'string', format: 'ipv4' } }))] },
    healthcheck,
    depends_on: mapOf(
      closed({ condition: { enum: ['service_healthy', 'service_completed_successfully'] } }, ['condition']),
    ),
    init: { type: 'boolean' },
    cap_drop: names,
    security_opt: names,
    user: { type: 'string' },
    shm_size: { type: 'string', pattern: '^\\d+mb$' },
    stop_grace_period: duration,
    restart: { enum: ['no', 'unless-stopped'] },
  },
  ['image', 'networks', 'restart'],
);
const COMPOSE_SCHEMA = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    services: mapOf(service),
    networks: mapOf(closed({ ipam: closed({ config: { type: 'array' } }), internal: { type: 'boolean' } })),
    volumes: mapOf({ type: 'null' }),
    secrets: mapOf(closed({ file: { type: 'string', pattern: '^\\./secrets/[a-z-]+$' } }, ['file'])),
  },
  patternProperties: { '^x-': {} },
  required: ['name', 'services', 'networks', 'volumes', 'secrets'],
  additionalProperties: false,
};

/** The configuration that each part of Landlord reads, and the file that declares it. */
const PARTS = {
  'main-api': { files: ['apps/main-api/src/config.ts', 'libs/domain/src/settings.ts'], read: readMainApiConfig },
  supervisor: { files: ['apps/supervisor/src/config.ts', 'libs/domain/src/settings.ts'], read: readSupervisorConfig },
  migrate: { files: ['libs/launcher/src/config.ts'], read: () => readLauncherConfig() },
};
const parts = Object.entries(PARTS);

describe('compose.yml', () => {
  it('conforms to the Compose specification', () => {
    const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, formats: { ipv4: /^(\d{1,3}\.){3}\d{1,3}$/ } });
    const validate = ajv.compile(COMPOSE_SCHEMA);

    validate(compose);

    expect(validate.errors ?? []).toEqual([]);
  });

  it('runs the database, the queue, the migration and both apps', () => {
    expect(Object.keys(compose.services).sort()).toEqual(['main-api', 'migrate', 'postgres', 'redis', 'supervisor']);
    for (const [part] of parts) expect(compose.services[part]?.command).toEqual([part]);
  });

  it('protects the queue with a password, on another network than the one on which brokers listen', () => {
    const { redis, supervisor } = compose.services as Record<string, any>;
    expect(redis.networks).toEqual(['queue']);
    expect(Object.keys(supervisor.networks)).toEqual(['landlord', 'queue']);
    expect((compose as any).networks.queue).toEqual({ internal: true });
    expect(redis.command.join(' ')).toContain('requirepass');
    expect(redis.secrets).toEqual(['redis-password']);
  });

  it.each(parts)('sets only settings that %s reads', (part, { files }) => {
    const known = files.flatMap(settingsDeclaredIn);
    const set = Object.keys(compose.services[part]?.environment ?? {}).map((name) => name.replace(/_FILE$/, ''));
    // Both apps and the launcher share one block of settings, and none of them reads all settings.
    const shared = parts.flatMap(([, { files: others }]) => others.flatMap(settingsDeclaredIn));
    const ownOnly = set.filter((name) => name.startsWith('MAIN_API') || /^(SUPERVISOR|GATEWAY|LOCAL)/.test(name));

    expect(set.filter((name) => !shared.includes(name))).toEqual([]);
    expect(ownOnly.filter((name) => !known.includes(name))).toEqual([]);
  });

  it.each(parts)('gives %s valid settings', (part, { read }) => {
    const given = Object.entries(compose.services[part]?.environment ?? {})
      .filter(([name]) => !name.endsWith('_FILE'))
      .map(([name, value]) => [name, String(value)]);
    const secrets = {
      DATABASE_URL: 'postgres://landlord:secret@postgres:5432/landlord',
      LANDLORD_SECRET_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
    };

    expect(() => withEnvironment({ ...Object.fromEntries(given), ...secrets }, read)).not.toThrow();
  });

  it('passes secrets as files: each secret is created and is mounted for its readers', () => {
    const made = [...text('docker/secrets.sh').matchAll(/^write ([a-z-]+)|^for name in ([a-z -]+);/gm)].flatMap(
      ([, one, several]) => (one ? [one] : (several ?? '').split(' ')),
    );
    const wrong = services.flatMap(([name, { environment = {}, secrets = [] }]) =>
      Object.values(environment)
        .map(String)
        .filter((value) => value.startsWith('/run/secrets/'))
        .filter((value) => !secrets.includes(value.replace('/run/secrets/', '')))
        .map((value) => `${name} reads ${value}`),
    );

    expect(Object.keys(compose.secrets).sort()).toEqual(made.sort());
    expect(services.flatMap(([, { secrets = [] }]) => secrets).filter((name) => !(name in compose.secrets))).toEqual(
      [],
    );
    expect(wrong).toEqual([]);
    expect(JSON.stringify(compose.services)).not.toMatch(/password=|:[0-9a-f]{16,}@/i);
  });

  it('waits only for services with a health check, and each permanent service has one', () => {
    const hasCheck = (name: string): boolean => {
      const { healthcheck: own, image } = compose.services[name] ?? { image: '' };
      return own?.test !== undefined || (own?.disable !== true && image.startsWith('landlord:'));
    };
    const waits = services.flatMap(([, { depends_on: on = {} }]) => Object.entries(on));

    expect(waits.filter(([name]) => !(name in compose.services))).toEqual([]);
    expect(waits.filter(([name, { condition }]) => condition === 'service_healthy' && !hasCheck(name))).toEqual([]);
    expect(services.filter(([name]) => name !== 'migrate' && !hasCheck(name))).toEqual([]);
  });

  it('stores data in declared volumes, and mounts only files that exist', () => {
    const mounts = services.flatMap(([, { volumes = [] }]) => volumes.map((mount) => mount.split(':')[0] ?? ''));
    const files = mounts.filter((source) => source.startsWith('.'));

    expect(files.filter((source) => !existsSync(join(ROOT, 'docker', source)))).toEqual([]);
    expect(mounts.filter((source) => !source.startsWith('.') && !(source in compose.volumes))).toEqual([]);
    expect(mounts).toEqual(expect.arrayContaining(['postgres', 'data']));
  });

  it('publishes the two APIs and nothing else', () => {
    expect(services.filter(([, { ports }]) => ports).map(([name]) => name)).toEqual(['main-api', 'supervisor']);
  });
});

describe('the Dockerfile', () => {
  it('uses the Node.js release of .nvmrc, with glibc', () => {
    const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map((match) => match[1]);

    expect(new Set(bases)).toEqual(new Set([`node:${text('.nvmrc').trim()}-bookworm-slim`]));
  });

  it('copies existing files, runs as an unprivileged user, and has a health check', () => {
    const sources = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(
      (match) => match[1]?.split(' ') ?? [],
    );

    expect(sources.length).toBeGreaterThan(5);
    expect(sources.filter((source) => !existsSync(join(ROOT, source)))).toEqual([]);
    expect(dockerfile).toMatch(/^USER landlord$/m);
    expect(dockerfile).toMatch(/^HEALTHCHECK .*docker\/healthcheck\.mjs/m);
  });
});

/** Names of settings in the schema of the source. */
function settingsDeclaredIn(path: string): string[] {
  return nodesOf(parse(path), ts.isPropertyAssignment)
    .map(({ name }) => name.getText())
    .filter((name) => /^[A-Z][A-Z_]+$/.test(name));
}

function withEnvironment(environment: Record<string, string>, work: () => unknown): void {
  const own = process.env;
  process.env = environment;
  try {
    work();
  } finally {
    process.env = own;
  }
}
